package language

// smallWords are words that sentences of a language cannot do without, by its code: articles, prepositions, pronouns, auxiliaries, and what
// news says all the time. A word of several languages stands in the list of each. They are in lower case.
var smallWords = map[string]string{
	"af": `en van is in het wat nie vir op word met te hy sy dit 'n as om aan by nog ook deur was hulle sal oor ons maar moet teen twee kan uit na hom haar daar
		hierdie gesê volgens se wees soos ek jou weer meer jaar eerste nuwe dat toe tot polisie die`,
	"az": `və bu ki bir də da üçün ilə olub olan edib edilib deyib görə sonra daha çox ən ilk yeni azərbaycan bakı bakıda hər isə o qədər qarşı haqqında üzrə ilə
		nazir prezident nəfər ölkə dövlət artıq yox var heç niyə necə baş verib`,
	"ca": `i de la el que les els amb per a una un en dels del al ha és són no més però seu seva aquest aquesta com també entre fins segons ser està han va van
		perquè contra després sobre quan molt anys nou nova pel pels des sense hi ho què als govern`,
	"cs": `a v na se je že s z do o k za po pro jako ale by si ve jeho jsou jeden který která které podle při od už také nebo tak i bude byl byla bylo není před mezi více
		proti než roku let které jen má ještě když ze až po dva dvou nové nový uvedl řekl policie kvůli může`,
	"da": `og i at er en et den det til på af for med der de har som han ikke om fra var kan skal vil også blev bliver efter mod over ved ud ind mange nu være
		men sig sin deres år flere hvor hvad hun når mellem siger dansk danske uden under ny nye to får meget noget nogle siden man hvis dette disse bare kun
		dem os jeg du din mig bruge hele andre samt hos alle store dag tid kunne igen tilbage gennem hende hendes vores aldrig altid kvinder mænd børn penge
		blevet sagde eller død døde samme blandt første anden hver kommer`,
	"de": `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie
		einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei gegen vom wieder neue neuen zwei unter will was warum keine jahr jahren uhr
		kann soll muss wurden ihre ihr seine beim seit wegen`,
	"en": `the of and to in for is on that with as was at by from his it an be are have has this not will but he they their its after who over new about more or
		were her she had been when says said could would up out what than into against first why how two during year years under no one which can our your you
		us him while amid re ve don isn may i we if where before since off there some all must old three down most here people`,
	"es": `de la que el en y los del se las por un para con no una su al es lo como más o pero sus le ha este sí porque esta son entre está cuando muy sin sobre ser tiene
		también me hasta hay donde han quien desde todo nos durante todos uno les ni contra otros ese eso había ante ellos e esto dos tras fue según años año será así puede
		nuevo nueva gobierno qué`,
	"et": `ja on ei et oli ka mis kui see ta ning selle aga oma või kes nii seda siis ma veel pärast kuid välja üle juba eesti peale enne aasta aastal kus ainult
		saab kaks uus uue vastu olid nad mida kohta ütles tuleb ligi ole peab oleks samuti suur`,
	"eu": `eta da du ez dira bat ere zuen dute izan egin dio baina bere hau zen den duen beste bi gehiago arte euskal egiteko batean berri izango ditu dituzte
		egingo urte ondoren hori horrek zuten dago gabe baino lehen bezala batek atzo gaur`,
	"fi": `ja on ei että se oli hän myös mutta ovat kun joka jos sekä olla mukaan jälkeen tämä sen hänen ole vuoden kuin jo voi vielä ollut niin mitä vain nyt suomen suomessa
		yli noin tai sitä kanssa ennen vuonna ensi uusi uuden koska näin kertoo sanoo tulee ovat siitä miksi aikana asti kaksi vuotta poliisi olisi saa`,
	"fr": `de la le et les des en un une du à pour que qui dans est par sur pas au plus avec il ce ne se sont son sa aux ont cette été mais comme ou ses elle
		fait leur être deux nous après entre aussi sans même avant selon dont ces tout où quand contre ans très peut bien depuis lors on a lui vous ils je
		était si notre faut encore sous moins nouveau nouvelle qu premier première pourquoi comment quel`,
	"ga": `an na agus ar ag sa go ní is i bhí tá le do sé leis den don chun mar atá bhfuil ach faoi nó féin ó sin gur nach níos éireann gaeilge sna duine rialtas
		inné inniu bliain tar éis`,
	"gl": `de a o que e do da en os as no na un unha por para con se dos das non máis ao como á foi seu súa polo pola nos ó pero tamén este esta son está ten entre ata
		galicia xunta anos ano despois sobre moi xa cando onte hoxe sen desde pode todo goberno`,
	"hr": `i u je na se da su za od s o s koji koja koje će što kako iz nije ali ili do bi kao to ne po biti samo ima još nakon prije gdje više tijekom između zbog bio bila
		bilo prema uz oko sve godine godina tko vrijeme novi nova protiv kad kada dvije dva nego kazao rekao policija hrvatska hrvatske hrvatskoj tjedan tisuća`,
	"hu": `a az és hogy nem is egy ez meg de van volt csak már el még ki mint vagy szerint után lesz ha fel be azt majd több ezt minden lehet nagyon kell között akik nincs
		miatt most két új ahol amely így amit alatt után magyar évi közben mert ellen lett aki sem óta fog által kapott első ön mondta során`,
	"id": `yang dan di ini itu dengan untuk dari dalam tidak akan pada juga ke karena oleh ada saat adalah bisa sudah lebih telah tersebut mereka ia kata saya
		seperti bahwa tak atau hingga usai jadi warga tahun para orang setelah kami masih menjadi sebagai dua baru polisi banyak harus antara serta terhadap
		hari sejak ketika bagi jika anda negara kepada daripada sehingga beliau boleh bukan`,
	"is": `og að í á er sem var ekki til um við fyrir með það en af hann þá frá eru hafa þess verið hefur vera eftir því þar þeir hún sér segir upp úr verður
		bara yfir einnig hafi sé verða þau árið íslandi maður íslands nýja tveir hjá milli gegn ár ný`,
	"it": `di che e la il un a per in del non una è i le si con da della dei al più ha sono nel alla come anche gli lo dal delle su ma questo o ci se nella alle
		essere tra dopo ai sul cui hanno suo dalla sua era due stato stata contro anni degli negli prima perché senza fino ancora solo dalle così loro sotto
		nuovo nuova oggi ecco nei agli chi quando dell all nell sull può molto governo`,
	"lt": `ir kad į yra su iš buvo tai apie už bet kaip per po jau tik ne jis nuo dėl dar pat kai savo iki ji ar prie gali arba labai kuri kuris lietuvos lietuvoje bus
		jo jos metų metais nėra prieš daugiau tarp jie kur todėl pasak taip kiek sako dviejų naujas nauja`,
	"lv": `un ir ar no par uz kas ka tas arī bet pēc tika kā pie lai vai bija līdz jau kurš gada gadā latvijas latvijā tā viņš viņa nav var ko šo tikai ja vēl šis ir būs
		gan starp pret sava savu tiek ļoti vairāk kopš laikā divi jaunā kuri nebija saka dēļ`,
	"ms": `yang dan di ini itu dengan untuk dari dalam tidak akan pada juga ke kerana oleh ada ketika adalah ialah boleh sudah lebih telah tersebut mereka beliau
		kata saya seperti bahawa atau hingga sehingga tahun para orang selepas kami masih menjadi sebagai dua baharu polis wang bagi kerajaan negara serta
		daripada kepada antara terhadap hari sejak jika anda bukan`,
	"mt": `li ta' fil tal tal- il- ma' għal din dan kien fuq mill- minn biex hija huwa meta wara ukoll kif kienet ġew ġie bejn iktar mhux malta gvern ministru
		kontra kollha qal qed se jew tagħha tiegħu għandu sena snin`,
	"nl": `de het een en van in is dat op te voor met zijn die niet aan er om ook als maar bij uit door over hij nog naar heeft worden wordt ze meer tot was dan
		of werd na hebben had ik deze kan veel je geen wel zo moet tegen onder jaar nieuwe twee we hun onze haar eerste toch waar zegt waarom zich wat wie
		weer nu mensen tussen volgens dit kunt u uw dus alle andere geeft komt kwam gaat zou zal tijdens alleen`,
	"no": `og i det er på en til som av for at med har de ikke om et den han var fra seg å men vi ble kan også skal etter blir så vil eller ved der sier hva når
		ut mot over hun ny nye norge norsk norske flere år mellom må to hvor hvorfor fikk bare noe noen mye opp uten under dette får være sin man hvis disse
		kun dem oss jeg du din meg bruke hele andre samt hos alle store dag tid kunne igjen tilbake gjennom henne hennes aldri alltid kvinner menn barn penger
		blitt enn nå samme død døde blant første annen hver kommer`,
	"pl": `i w na z się że do nie o jest to od za po dla przez jak ale co tak są był była być jego już może też przed oraz tym które który która lub tylko bez roku lat przy
		pod tego jej ich ze nad czy bardzo jeszcze gdy będzie było ma jako między dwa nowy nowa nowe po także podczas wobec policja polski w ponad dlaczego`,
	"pt": `de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito nos já eu também só pelo pela até isso ela entre
		depois sem mesmo aos seus quem nas me esse eles você foi essa num nem suas às minha são tem era dois após diz contra anos ano sobre está ser há novo nova governo pode
		diz segundo`,
	"ro": `de și în a la cu pe nu o un că din care mai pentru ce se este au fi să lui ale prin sau după al unei unui fost sunt dar cum până ca fără el are între îi va
		vor ani anul despre către acest această când doar asupra lor foarte două nou noi noua potrivit ei împotriva acum într spune atunci fiind`,
	"sk": `a v na sa je že s z do o k za po pre ako ale by si vo jeho sú jeden ktorý ktorá ktoré podľa pri od už aj alebo tak i bude bol bola bolo nie pred medzi viac
		proti než roku rokov len má ešte keď zo až dva dvoch nové nový povedal uviedol polícia môže čo ich ho`,
	"sl": `in v je na se da za so ki pa s z o ne bi ob po do tudi ni pri ter kot še bo iz od ali kako med leta več že pred biti bil bila zaradi kjer lahko če vse nad
		svoje njegov njihov bilo samo sta slovenije slovenija sloveniji novi nova proti dveh dva leto policija kaj torej danes smo`,
	"sq": `të e në dhe një për që me nga se është u i më ka si do janë nuk por ky kjo tij ishte pas edhe kanë kur mund vetëm gjatë duke deri ndaj mes sipas vit vite asnjë
		kundër kosovë shqipëri tha para jo shumë saj dy ri ose këtë tyre`,
	"sr": `i u je na se da su za od s o koji koja koje će što kako iz nije ali ili do bi kao to ne po biti samo ima još nakon posle pre gde više tokom između zbog bio bila
		bilo prema uz oko sve godine godina ko šta vreme novi nova protiv kad kada dve dva nego kazao rekao policija srbija srbije srbiji nedelja hiljada`,
	"sv": `och i att det som en på är av för med den till inte har de om ett han men var från vi så kan ska sig när eller efter nu under också hon säger blir mot
		över vid år man fick ut mellan upp nya ny här sin mycket finns utan två där vad varför enligt in bara flera blev inga någon några hur svenska sverige
		alla få får vill måste poliser polisen kommer dem oss jag du din mig använda hela andra samt hos stora dag tid kunde igen tillbaka genom hennes aldrig
		alltid kvinnor män barn pengar blivit än samma döda bland första varje denna dessa`,
	"sw": `ya na wa kwa ni la katika za cha kuwa hiyo huo huyo hii hilo baada yake wake wao kama watu rais lakini au sana hivyo zaidi mwaka nchini nchi serikali kutoka
		alisema amesema polisi vya yao hata bado pia wakati mpya ili kila wawili`,
	"tl": `ang ng sa na mga ay at ni si hindi ito may kay nang ko siya sila kung mas din rin pa lang ngunit dahil matapos isang kanyang nila naman wala bilang
		ayon habang noong laban bagong dalawang kaniyang mula ngayon o`,
	"tr": `ve bir bu için de da ile olarak çok daha sonra en ne gibi kadar ancak olan var değil oldu o ama ya ise her göre diye mi mı ilk son iki türkiye türk yeni nasıl
		edildi etti dedi yok hem veya karşı tarafından bunu böyle üzerine yılında yıl içinde gün büyük neden hakkında ediyor kişi arasında kendi`,
	"vi": `và của các là có cho trong với được không người những một đã về khi này để đến từ tại ra ở như sau vào cũng nhiều sẽ năm hơn trên bị thì ông bà còn mới do theo
		việt nam nước phải làm đang công hai nhưng số nhất đó vì`,

	"be": `і у на не з што ў да за як гэта для па ад яго але пра быў была ён яна яшчэ таксама калі каб беларусі пасля або супраць паводле гады годзе два ці толькі былі яны
		больш які якія`,
	"bg": `на и да в се за от с не че по ще са до като е при който която които това но след или беше има той тя те със във към след през който повече може бе българия
		години година два защо срещу според още само без много между каза били би`,
	"kk": `және бұл мен бір деп үшін болып бар осы да де емес еді қазақстан туралы екі жаңа бойынша кейін ең екен оның бұған дейін болды ол жыл жылы қалай неге`,
	"mk": `на и во да се за од со не дека што е ќе го ја ги по како но или при до ова тој таа беше има сите според меѓу поради повеќе две години година македонија нема
		против само уште додека кој која кои рече`,
	"mn": `нь бол байна энэ тэр юм болон гэж байгаа монгол улсын хүн дээр хийх ажил жил хоёр шинэ гэсэн учир тухай`,
	"ru": `и в не на что с по как это для из за к от о но его у до а все он она они было был была быть при или после же также еще ещё бы так уже когда которые который
		сообщил заявил году года лет со во том чтобы россии между более против под над два из-за только если почему будет будут может нет об`,
	"sr-Cyrl": `и у је на се да су за од с о који која које ће што како из није али или до би као то не по бити само има још након после пре где више током између због
		био била било према уз око све године година ко шта време нови нова против кад када две два него казао рекао србија србије`,
	"tg": `ва дар ба аз ки барои бо ин он аст буд то низ дигар ҳам чанд тоҷикистон мешавад шуд ки ё соли`,
	"uk": `і в на що не з у та до за як це для від про його але по й або був була було є при він вона вони після також ще щоб між через вже який яка які україни україні
		року років коли проти під над тільки якщо чому буде можна два зі із цього своїх`,

	"ar":  `في من على إلى أن التي الذي عن مع هذا هذه بعد كما بين لا ما لم كان كانت قال وقال خلال أو بن هو هي حول قبل ضد منذ عام إن ذلك حيث كل غير أكثر قد ثم عند حتى`,
	"ckb": `له و بۆ به لە بە کە دەکات ئەم ئەو لەگەڵ کرد بوو لەسەر عێراق کوردستان هەرێمی دوای پێش یەک دوو هەیە نییە ئەوەی`,
	"fa":  `در به از که این را با است برای آن یک می شد شده خود تا بر هم ها های کرد نیز پس اما بود شود گفت باید دو ما نمی همه اگر بین سال کند یا چه ایران پیش هر`,
	"ps":  `په د او چې له کې ته دي دا يې پر یې سره لپاره وروسته افغانستان شوي دغه هم کړي وايي نه خو`,
	"ur":  `کے کی میں ہے نے سے کا اور کو پر کہ یہ اس ہیں تھا بھی گیا نہیں ایک ہو وہ لیے کیا تک جس کر بعد پاکستان تو دو ان تھے رہے ہوئے گئی`,

	"hi": `के में की है से को का और ने पर हैं कि यह भी एक इस नहीं लिए तो हो कर ही था या गया साथ बाद वह जो अपने थे रहा दो करने हुए ये आज`,
	"mr": `आहे आणि या च्या मध्ये केली ने आहेत होते केले हा ही हे त्या नाही झाली झाला तर यांनी ते असे व यांच्या पण एक दोन आला काय मोठा मोठी`,
	"ne": `छ र को मा लाई हो गरेको पनि भएको गर्न छन् यो एक तथा गरेका भने नेपाल थियो हुने गर्ने दुई बताए भन्दै पछि`,
}
