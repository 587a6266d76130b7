package dates

import "strings"

// month is the number of the month that a word names, in the languages feeds use; 0 if it names none.
func month(w string) int {
	return months[strings.ToLower(strings.Trim(w, ".,"))]
}

func anyMonth(words []string) bool {
	for _, w := range words {
		if month(w) != 0 {
			return true
		}
	}
	return false
}

// months maps names and abbreviations, lower case, to numbers. English, German, French, Spanish, Italian, Portuguese, Dutch, Turkish,
// Polish, Russian, Ukrainian, Greek, Czech, Hungarian and the Scandinavian languages.
var months = func() map[string]int {
	table := make(map[string]int, 400)
	for i, words := range [...]string{
		"jan january januar januari janvier janv jänner jän enero ene gennaio gen janeiro ocak oca stycznia styczeń sty января январь янв січня січ ιαν ιανουαρίου ιανουάριος ledna leden led január",
		"feb february februar februari février fevrier févr fevr fév feber febrero febbraio fevereiro fev şubat şub lutego luty lut февраля февраль фев февр лютого лют φεβ φεβρουαρίου φεβρουάριος února únor február febr",
		"mar march märz maerz mär mrz mars marzo março marco maart mrt mart marca marzec марта март мар березня бер μαρ μάρ μαρτίου μάρτιος března březen bře március márc",
		"apr april avril avr abril abr aprile nisan nis kwietnia kwiecień kwi апреля апрель апр квітня кві απρ απριλίου απρίλιος dubna duben dub április ápr",
		"may mai mayo maggio mag maio mei mayıs maja maj мая май травня тра μαϊ μάι μαι μαΐου μάιος května květen kvě május máj",
		"jun june juni juin junio giugno giu junho haziran haz czerwca czerwiec cze июня июнь июн червня чер ιουν ιούν ιουνίου ιούνιος června červen čvn június jún",
		"jul july juli juillet juil julio luglio lug julho temmuz tem lipca lipiec lip июля июль июл липня лип ιουλ ιούλ ιουλίου ιούλιος července červenec čvc július júl",
		"aug august août aout agosto ago augusti augustus ağustos ağu sierpnia sierpień sie августа август авг серпня сер αυγ αύγ αυγούστου αύγουστος srpna srpen srp augusztus",
		"sep sept september septembre septiembre settembre set setembro eylül eyl września wrzesień wrz сентября сентябрь сен сент вересня вер σεπ σεπτ σεπτεμβρίου σεπτέμβριος září zář szeptember szept",
		"oct october oktober okt octobre octubre ottobre ott outubro out ekim eki października październik paź октября октябрь окт жовтня жов οκτ οκτωβρίου οκτώβριος října říjen říj október",
		"nov november novembre noviembre novembro kasım kas listopada listopad lis ноября ноябрь ноя нояб листопада νοε νοέ νοεμβρίου νοέμβριος listopadu",
		"dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro aralık ara grudnia grudzień gru декабря декабрь дек грудня гру δεκ δεκεμβρίου δεκέμβριος prosince prosinec pro desember des",
	} {
		for _, w := range strings.Fields(words) {
			table[w] = i + 1
		}
	}
	return table
}()
