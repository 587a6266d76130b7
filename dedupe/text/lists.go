package text

import "strings"

// languages are the languages with lists of their own, by primary subtag.
var languages = map[string]*Language{
	"en": {code: "en", stops: set(englishStops), nameStops: set(englishNameStops), stem: stemEnglish},
	"es": {code: "es", stops: set(spanishStops), nameStops: set(spanishNameStops), stem: truncate},
	"fr": {code: "fr", stops: set(frenchStops), nameStops: set(frenchNameStops), stem: truncate},
	"de": {code: "de", stops: set(germanStops), nameStops: set(germanNameStops), stem: truncate},
	"it": {code: "it", stops: set(italianStops), nameStops: set(italianNameStops), stem: truncate},
	"pt": {code: "pt", stops: set(portugueseStops), nameStops: set(portugueseNameStops), stem: truncate},
	"nl": {code: "nl", stops: set(dutchStops), nameStops: set(dutchNameStops), stem: truncate},
	"ru": {code: "ru", stops: set(russianStops), nameStops: set(russianNameStops), stem: truncate},
}

// links are the small words that may stand inside a name.
var links = set("of de al bin van von la el")

func set(list string) map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

// The stop words are compared with keys, before stemming; the name stops with lower-case words. The English lists belong to the model and
// to the tables of document frequencies.
const (
	englishStops = `a about above according afp after again against all also am an and any ap april are around as at august back bbc be
because been before being below between both but by can caption cnn copyright could day days december did do does doing
down dr during each even february few first five for four friday from further get getty got had has have having he her
here hers him his how i if image images in including into is it its itself january july june just last like made make
many march may me might monday month more most mr mrs ms much my new news no nor not november now october of off on once
one only or other our out over own people per photo read report reported reporting reports reuters said same saturday
say says september she should since so some still such sunday take than that the their theirs them then there these they
this those three through thursday time to today told tomorrow too tuesday two under until up upon us very via video was
way we wednesday week well were what when where which while who whom why will with would year years yesterday you your
yours`

	englishNameStops = `a advertisement afp after an and ap april are as at august bbc before but by cnn copyright december dr february for
friday from getty he her here his how i if image in is it january july june march may minister monday more mr mrs ms new
no not november october of on our president prime read reuters saturday september she so sunday than that the their
there these they this those thursday to tuesday was we wednesday were what when while who why with yes`

	spanishStops = `a abril agosto al ano anos ante aquel ayer como con contra cual cuando de del desde dia dias diciembre dijo domingo
donde durante e el en enero entre era es esa ese eso esta estaba estan estar estas este esto estos febrero fue fueron ha
habia hace han hasta hay hoy jueves julio junio la las le les lo los lunes martes marzo mas mayo me mi miercoles muy no
nos noviembre o octubre otra otras otro otros para pero por porque puede que quien sabado se segun septiembre ser si
sido sin sobre son su sus tambien tiene tienen toda todas todo todos tras u un una unas unos viernes y ya`

	spanishNameStops = `a ante como con cuando de desde domingo el en es jueves la las lo los lunes martes miercoles miércoles no para pero por
que sabado se segun si su sábado tras un una viernes y`

	frenchStops = `a an annee ans aout apres au aujourd'hui aussi aux avant avec avoir avril ce ces cet cette chez comme contre d dans de
decembre depuis des deux dimanche dont du elle elles en encore entre est et etaient etait ete etre fait fevrier hier il
ils janvier je jeudi jour jours juillet juin l la le les leur leurs lors lundi mai mais mardi mars meme mercredi ne nous
novembre octobre on ont ou par pas plus pour que qui quoi sa samedi sans se selon septembre sera ses si son sont sous
sur tous tout toute toutes tres un une vendredi vers vous y`

	frenchNameStops = `a apres après au aux avec ce ces cet cette d dans de depuis des dimanche du elle elles en et il ils je jeudi l la le les
lundi mais mardi mercredi nous on par pour que qui samedi selon si sur un une vendredi vous à`

	germanStops = `aber alle als am an april auch auf august aus bei bis da dann das dass dem den der des dezember die dienstag donnerstag
durch ein eine einem einen einer eines er es februar freitag fur gegen gestern haben hat hatte hatten heute ich ihr ihre
ihren im in ist jahr jahre jahren januar juli juni kann kein keine laut mai marz mehr mit mittwoch montag morgen nach
nicht noch november nun nur oder ohne oktober sagt sagte samstag schon sehr sein seine seinen seit september sich sie
sind so soll sollen sonntag tag tage tagen uber um und unter vom von vor war waren was wenn wer werden wie wir wird wo
worden wurde wurden zu zum zur zwei zwischen`

	germanNameStops = `aber als am an auf aus bei da das dem den der des die dienstag donnerstag ein eine einem einen einer er es freitag fur
für ich im in mit mittwoch montag nach oder samstag sie so sonntag und unter von vor was wenn wer wie wir wo zu zum zur
über`

	italianStops = `a agli agosto ai al alla alle allo anche anni anno aprile aveva che chi come con contro cui da dai dal dalla degli dei
del della delle dello detto di dicembre domenica dopo dove due durante e era erano essere febbraio fra gennaio giorni
giorno giovedi giugno gli ha hanno i ieri il in la le lo loro luglio lunedi ma maggio martedi marzo mercoledi nei nel
nella nelle non novembre o oggi ottobre per piu prima quando quella quello questa queste questi questo sabato se
settembre si sono stata stati stato su sua sue sul sulla suo suoi tra tutti tutto un una uno venerdi`

	italianNameStops = `a al che come con da dal del della di domenica e giovedì gli i il in la le lo lunedì ma martedì mercoledì nel nella non
o per sabato se si su un una uno venerdì`

	portugueseStops = `a abril agosto ano anos ao aos apos as ate com como contra da das de desde dezembro dia dias disse do domingo dos
durante e ela elas ele eles em entre era essa esse esta este feira fevereiro foi foram ha hoje isso isto ja janeiro
julho junho maio mais marco mas muito na nao nas no nos novembro o onde ontem os ou outubro para pela pelo pelos pode
por quando quarta que quem quinta sabado sao se segunda segundo sem ser setembro seu seus sexta sobre sua suas tambem
tem ter terca tinha toda todas todo todos um uma umas uns`

	portugueseNameStops = `a as com como da de do domingo e em mas na no não o os ou para por quarta que quinta se segunda sexta sábado terça um
uma`

	dutchStops = `aan al alle als april augustus bij daar dag dagen dan dat de december deze die dinsdag dit donderdag door een en er
februari geen gisteren haar had hebben heeft het hier hij hun ik in is jaar januari juli juni kan maandag maar maart
meer mei met moet na naar niet nog november of oktober om onder ook op over september sinds te tegen tot tussen twee uit
van vandaag volgens voor vrijdag waar waren was wat we werd werden wie wij woensdag worden wordt zaterdag ze zeer zei
zich zij zijn zo zondag`

	dutchNameStops = `aan bij dat de deze die dinsdag dit donderdag door een en er het hij ik in maandag maar met na naar of om op over te uit
van voor vrijdag we wij woensdag zaterdag ze zij zondag`

	russianStops = `а августа апреля без будет бы был была было быть в вас во воскресенье вот все вторник вчера вы где год года году да даже
декабря для до его ее ему если есть же за заявил и из или их июля июня к как когда которая которые которыи лет ли марта
мая меня мне мы на не него ни но ноября ну о об октября он она они от по понедельник после при про пятницу с сам сегодня
сентября со сообщил сообщила сообщили среду субботу так также теперь то тут ты у февраля чем четверг что чтоб эта эти
это этот я января`

	russianNameStops = `а в во вы для если за и из к как когда мы на не но о он она они от по после при с со то у что это я`
)
