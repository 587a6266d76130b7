package language

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// reports are one short report, headline and two sentences, in every language that is told by its words, and some told by their script.
var reports = map[string][2]string{
	"af": {"Brug oor die hawe weer oop ná ses maande", "Die brug oor die hawe is Dinsdag weer oopgemaak, het die stadsraad gesê. Vragmotors moet nog deur die tonnel ry, maar die verkeer sal volgens die polisie vinnig normaal wees."},
	"az": {"Liman körpüsü altı aydan sonra yenidən açılıb", "Liman üzərindəki körpü çərşənbə axşamı yenidən açılıb, şəhər şurası bildirib. Yük maşınları hələ də tuneldən istifadə etməlidir, lakin hərəkətin bu həftə bərpa olunacağı gözlənilir və əlavə polis olacaq."},
	"ca": {"El pont del port torna a obrir després de sis mesos d'obres", "El pont del port es va tornar a obrir dimarts, segons l'ajuntament. Els camions encara han de passar pel túnel, però s'espera que el trànsit torni a la normalitat aquesta setmana amb més autobusos."},
	"cs": {"Přístavní most je po půl roce znovu otevřen", "Most přes přístav byl v úterý znovu otevřen, uvedla radnice. Nákladní auta musí ještě jezdit tunelem, ale doprava by se podle policie měla vrátit do normálu už tento týden."},
	"da": {"Havnebroen åbner igen efter et halvt år", "Broen over havnen blev åbnet igen tirsdag, siger byrådet. Lastbiler skal stadig køre gennem tunnelen, men trafikken ventes at blive normal i denne uge, og der er også flere busser."},
	"de": {"Hafenbrücke nach sechs Monaten wieder offen", "Die Brücke über den Hafen ist am Dienstag wieder freigegeben worden, wie der Stadtrat mitteilte. Lastwagen müssen noch durch den Tunnel fahren, aber der Verkehr soll sich in dieser Woche beruhigen."},
	"en": {"Harbor bridge reopens after six months of repairs", "The bridge over the harbor was reopened on Tuesday, the city council said. Lorries still have to use the tunnel, but traffic is expected to return to normal this week."},
	"es": {"El puente del puerto reabre tras seis meses de obras", "El puente sobre el puerto fue reabierto el martes, según el ayuntamiento. Los camiones todavía tienen que usar el túnel, pero se espera que el tráfico vuelva a la normalidad esta semana."},
	"et": {"Sadamasild avati pärast poole aasta pikkust remonti", "Sild üle sadama avati teisipäeval uuesti, ütles linnavalitsus. Veoautod peavad veel sõitma läbi tunneli, kuid liiklus on sel nädalal jälle tavaline ja lisaks on ka rohkem busse."},
	"eu": {"Portuko zubia berriro ireki dute sei hilabeteren ondoren", "Portuaren gaineko zubia asteartean ireki dute berriro, udalak esan duenez. Kamioiek tuneletik joan beharko dute oraindik, baina trafikoa aste honetan ohikoa izango da eta autobus gehiago egongo dira."},
	"fi": {"Satamasilta avattiin puolen vuoden korjauksen jälkeen", "Sataman yli kulkeva silta avattiin uudelleen tiistaina, kertoo kaupunki. Kuorma-autot joutuvat vielä ajamaan tunnelin kautta, mutta liikenteen odotetaan olevan jo tällä viikolla ennallaan, sillä bussit ovat myös liikenteessä."},
	"fr": {"Le pont du port rouvre après six mois de travaux", "Le pont sur le port a été rouvert mardi, selon la mairie. Les camions doivent encore passer par le tunnel, mais la circulation devrait revenir à la normale dans la semaine."},
	"ga": {"Droichead an chuain oscailte arís tar éis sé mhí", "Osclaíodh an droichead ar an gcuan arís Dé Máirt, a dúirt an chomhairle. Tá ar na leoraithe dul tríd an tollán go fóill, ach beidh an trácht mar is gnáth an tseachtain seo agus níos mó busanna ann."},
	"gl": {"A ponte do porto reabre despois de seis meses de obras", "A ponte sobre o porto foi reaberta o martes, segundo o concello. Os camións aínda teñen que usar o túnel, pero agárdase que o tráfico volva á normalidade nesta semana e xa hai máis autobuses."},
	"hr": {"Lučki most ponovno otvoren nakon šest mjeseci", "Most preko luke ponovno je otvoren u utorak, rekao je gradonačelnik. Kamioni još moraju voziti kroz tunel, ali prije kraja tjedna promet će biti kao što je bio, a tko može neka ide autobusom."},
	"hu": {"Fél év után újra megnyílt a kikötői híd", "A kikötő feletti hidat kedden nyitották meg újra, közölte a városi tanács. A teherautóknak még az alagutat kell használniuk, de a forgalom a héten már nem lesz olyan lassú, mint eddig volt."},
	"id": {"Jembatan pelabuhan dibuka lagi setelah enam bulan", "Jembatan di atas pelabuhan telah dibuka kembali pada Selasa karena perbaikan sudah selesai, kata dewan kota. Truk masih harus lewat terowongan, tetapi lalu lintas akan normal dalam pekan ini dan warga bisa naik bus."},
	"is": {"Hafnarbrúin opnuð á ný eftir hálft ár", "Brúin yfir höfnina var opnuð aftur á þriðjudag, segir borgarráð. Vörubílar þurfa enn að fara um göngin en umferðin verður eins og hún hefur verið og það eru einnig fleiri strætisvagnar."},
	"it": {"Il ponte del porto riapre dopo sei mesi di lavori", "Il ponte sul porto è stato riaperto martedì, ha detto il comune. I camion devono ancora passare dalla galleria, ma il traffico dovrebbe tornare alla normalità nella settimana."},
	"lt": {"Uosto tiltas vėl atidarytas po pusės metų", "Tiltas per uostą antradienį buvo vėl atidarytas, sako miesto taryba. Sunkvežimiai dar turi važiuoti tuneliu, bet eismas šią savaitę jau bus kaip anksčiau, nes yra daugiau autobusų."},
	"lv": {"Ostas tilts atkal atvērts pēc sešiem mēnešiem", "Tilts pār ostu otrdien ir atkal atvērts, saka pilsētas dome. Kravas auto vēl ir jābrauc pa tuneli, bet satiksme šonedēļ būs kā agrāk, jo ir arī vairāk autobusu."},
	"ms": {"Jambatan pelabuhan dibuka semula selepas enam bulan", "Jambatan di atas pelabuhan telah dibuka semula pada Selasa kerana kerja baik pulih sudah siap, kata majlis bandar raya. Beliau berkata bahawa lori masih perlu melalui terowong sehingga polis memberi kebenaran."},
	"mt": {"Il-pont tal-port jerġa' jinfetaħ wara sitt xhur", "Il-pont fuq il-port reġa' nfetaħ nhar it-Tlieta, qal il-kunsill. It-trakkijiet għandhom jużaw il-mina, iżda t-traffiku huwa mistenni li jkun normali din il-ġimgħa u hemm iktar karozzi tal-linja minn qabel."},
	"nl": {"Havenbrug na zes maanden weer open", "De brug over de haven is dinsdag weer geopend, meldt de gemeenteraad. Vrachtwagens moeten nog door de tunnel, maar het verkeer zal deze week naar verwachting weer normaal worden."},
	"no": {"Havnebroen åpner igjen etter et halvt år", "Broen over havnen ble åpnet igjen tirsdag, sier bystyret. Lastebiler må fortsatt kjøre gjennom tunnelen, men trafikken ventes å bli normal denne uken, og det er også flere busser nå."},
	"pl": {"Most portowy znów otwarty po pół roku", "Most nad portem został we wtorek ponownie otwarty, jak podała rada miasta. Ciężarówki nadal muszą jeździć przez tunel, ale ruch ma wrócić do normy już w tym tygodniu."},
	"pt": {"Ponte do porto reabre após seis meses de obras", "A ponte sobre o porto foi reaberta na terça-feira, segundo a câmara. Os camiões ainda têm de usar o túnel, mas espera-se que o trânsito volte ao normal esta semana com mais autocarros."},
	"ro": {"Podul din port s-a redeschis după șase luni", "Podul peste port a fost redeschis marți, potrivit consiliului. Camioanele trebuie să folosească în continuare tunelul, dar traficul va fi mai bun în această săptămână."},
	"sk": {"Prístavný most je po pol roku znova otvorený", "Most cez prístav bol v utorok znova otvorený, povedal primátor. Nákladné autá ešte musia ísť tunelom, ale doprava by sa podľa polície mala už čoskoro vrátiť, pretože autobusov bude viac."},
	"sl": {"Pristaniški most po pol leta spet odprt", "Most čez pristanišče so v torek spet odprli, je sporočila občina. Tovornjaki morajo še voziti skozi predor, vendar naj bi bil promet že ta teden kot pred zaprtjem, ker bo tudi več avtobusov."},
	"sq": {"Ura e portit hapet pas gjashtë muajsh", "Ura mbi port është hapur të martën, tha këshilli i qytetit. Kamionët duhet të përdorin ende tunelin, por trafiku do të jetë normal këtë javë dhe ka më shumë autobusë se më parë."},
	"sr": {"Lučki most ponovo otvoren posle šest meseci", "Most preko luke ponovo je otvoren u utorak, rekao je gradonačelnik. Kamioni još moraju da idu kroz tunel, ali pre kraja nedelje saobraćaj će biti kao što je bio, a ko može neka ide autobusom, gde ih ima više."},
	"sv": {"Hamnbron öppnar igen efter ett halvår", "Bron över hamnen öppnades igen på tisdagen, säger kommunen. Lastbilar måste fortfarande köra genom tunneln, men trafiken väntas bli normal under veckan och det går även fler bussar."},
	"sw": {"Daraja la bandari lafunguliwa tena baada ya miezi sita", "Daraja la bandari limefunguliwa tena siku ya Jumanne, baraza la mji lilisema. Malori bado yanapaswa kupita katika handaki, lakini msongamano wa magari utakuwa wa kawaida na kuna mabasi zaidi."},
	"tl": {"Tulay sa daungan, muling binuksan matapos ang anim na buwan", "Muling binuksan ang tulay sa daungan nitong Martes, ayon sa konseho. Dadaan pa rin ang mga trak sa lagusan ngunit magiging maayos na ang trapiko dahil may dagdag na mga bus ngayon."},
	"tr": {"Liman köprüsü altı ay sonra yeniden açıldı", "Limanın üzerindeki köprü salı günü yeniden açıldı, belediye açıkladı. Kamyonlar hâlâ tüneli kullanmak zorunda ancak trafiğin bu hafta daha iyi olması bekleniyor ve çok sayıda otobüs var."},
	"vi": {"Cầu cảng mở lại sau sáu tháng sửa chữa", "Cây cầu bắc qua cảng đã được mở lại vào thứ Ba, theo hội đồng thành phố. Xe tải vẫn phải đi qua đường hầm nhưng giao thông sẽ trở lại bình thường trong tuần này."},

	"be": {"Мост у порце зноў адкрыты пасля рамонту", "Мост праз порт зноў адкрылі ў аўторак, паведаміў гарадскі савет. Грузавікі пакуль павінны ездзіць праз тунэль, але рух на гэтым тыдні будзе такі, як быў, бо аўтобусаў больш."},
	"bg": {"Мостът на пристанището отново е отворен", "Мостът над пристанището беше отворен във вторник, каза кметът. Камионите все още трябва да минават през тунела, но се очаква движението да е нормално още тази седмица."},
	"kk": {"Порт көпірі алты айдан кейін қайта ашылды", "Порт үстіндегі көпір сейсенбіде қайта ашылды, деп хабарлады қала кеңесі. Жүк көліктері әлі де тоннельмен жүруі керек, бірақ қозғалыс осы аптада қалпына келеді және автобустар көп болады."},
	"mk": {"Мостот на пристаништето повторно отворен", "Мостот над пристаништето беше отворен во вторник, рече градоначалникот. Камионите сè уште мора да одат низ тунелот, но сообраќајот ќе биде нормален и има повеќе автобуси."},
	"ru": {"Портовый мост снова открыт после ремонта", "Мост через порт снова открыли во вторник, сообщил городской совет. Грузовики пока должны ездить через тоннель, но движение на этой неделе будет таким же, как и было."},
	"uk": {"Портовий міст знову відкрили після ремонту", "Міст через порт знову відкрили у вівторок, повідомила міська рада. Вантажівки ще мають їздити через тунель, але рух цього тижня буде таким, як і був, бо автобусів більше."},
	"ar": {"إعادة فتح جسر الميناء بعد ستة أشهر", "أعيد فتح الجسر في الميناء يوم الثلاثاء بعد انتهاء أعمال الصيانة، وقال مجلس المدينة إن الشاحنات لا تزال تمر عبر النفق حتى نهاية الأسبوع."},
	"fa": {"پل بندر پس از شش ماه باز شد", "پل بندر روز سه شنبه پس از تعمیر باز شد و شورای شهر گفت که کامیون ها باید هنوز از تونل استفاده کنند اما رفت و آمد در این هفته عادی می شود."},
	"ur": {"بندرگاہ کا پل چھ ماہ بعد کھول دیا گیا", "بندرگاہ کا پل منگل کو دوبارہ کھول دیا گیا ہے، شہر کی کونسل نے کہا کہ ٹرک ابھی سرنگ سے گزریں گے لیکن اس ہفتے ٹریفک معمول پر آ جائے گی۔"},
	"hi": {"छह महीने बाद बंदरगाह का पुल फिर खुला", "बंदरगाह का पुल मंगलवार को फिर से खोल दिया गया है, नगर परिषद ने कहा कि ट्रकों को अभी सुरंग से जाना होगा और इस हफ्ते यातायात सामान्य हो जाने की उम्मीद है।"},
	"mr": {"सहा महिन्यांनंतर बंदराचा पूल पुन्हा खुला", "बंदरावरील पूल मंगळवारी पुन्हा सुरू झाला आहे, असे नगर परिषदेने सांगितले. ट्रक अजूनही बोगद्यातून जात आहेत आणि या आठवड्यात वाहतूक सुरळीत होते की नाही ते पाहावे लागेल."},
	"ne": {"छ महिनापछि बन्दरगाहको पुल खुल्यो", "बन्दरगाहको पुल मंगलबार फेरि खोलिएको छ र नगर परिषद्ले ट्रकलाई अझै सुरुङ प्रयोग गर्न भनेको छ। यो हप्ता यातायात सामान्य हुने बताए पनि केही ढिलाइ भएको छ।"},
	"el": {"Η γέφυρα του λιμανιού άνοιξε ξανά", "Η γέφυρα πάνω από το λιμάνι άνοιξε ξανά την Τρίτη, είπε ο δήμος."},
	"he": {"גשר הנמל נפתח מחדש", "הגשר מעל הנמל נפתח מחדש ביום שלישי, מסרה העירייה."},
	"ja": {"港の橋、半年ぶりに再開", "港にかかる橋が火曜日に再開されたと市議会が発表した。トラックはまだトンネルを通る。"},
	"zh": {"港口大桥维修半年后重新开放", "市议会表示，港口大桥周二重新开放。卡车仍须使用隧道，但本周交通有望恢复正常。"},
	"ko": {"항구 다리 여섯 달 만에 다시 열려", "항구를 지나는 다리가 화요일에 다시 열렸다고 시의회가 밝혔다."},
	"th": {"สะพานท่าเรือเปิดอีกครั้ง", "สะพานข้ามท่าเรือเปิดอีกครั้งเมื่อวันอังคาร"},
	"ka": {"ნავსადგურის ხიდი კვლავ გაიხსნა", "ნავსადგურის ხიდი სამშაბათს კვლავ გაიხსნა."},
	"ta": {"துறைமுகப் பாலம் மீண்டும் திறப்பு", "துறைமுகப் பாலம் செவ்வாயன்று மீண்டும் திறக்கப்பட்டது."},
}

// A headline alone may leave doubt, but is never surely something else; with its text the right language comes first.
func TestBest(t *testing.T) {
	doubtful := 0
	for _, lang := range keys(reports) {
		t.Run(lang, func(t *testing.T) {
			title, body := Of(reports[lang][0]), Of(reports[lang][1])
			if code, sure := title.Best(); sure && code != lang {
				t.Errorf("headline: surely %s", code)
			}
			both := title
			both.Add(&body)
			code, sure := both.Best()
			if code != lang {
				t.Errorf("headline and text: %s", code)
			}
			if !sure {
				t.Logf("in doubt")
				doubtful++
			}
		})
	}
	if doubtful > 6 {
		t.Errorf("%d of %d reports are in doubt, want 6 at most", doubtful, len(reports))
	}
}

func keys[V any](m map[string]V) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

func TestNothingToGoBy(t *testing.T) {
	for _, text := range []string{"", "12:30", "IBM", "Real Madrid 2 Manchester United 1", "EURUSD 1.0823 +0.2%", "Angela Merkel", "La La Land", "de", "日本", "首相辞任", "🎉", "\xff\xfe"} {
		e := Of(text)
		if code, sure := e.Best(); sure {
			t.Errorf("Of(%q) is surely %s", text, code)
		}
	}
}

func TestDenies(t *testing.T) {
	text := func(lang string) string { return reports[lang][0] + ". " + reports[lang][1] }
	for _, tt := range []struct {
		name, text, claim string
		want              bool
	}{
		{"the same", text("de"), "de-AT", false},
		{"the default of a program", text("de"), "en-US", true},
		{"another script", text("ru"), "en", true},
		{"another script, of one language", text("el"), "en_US", true},
		{"the language of a script, in Latin", text("en"), "ja", true},
		{"a relative", text("no"), "da", false},
		{"a relative in another script", text("sr"), "sr-Cyrl", false},
		{"a language without a list", text("nl"), "fy", false},
		{"a language without a list and a relative", text("de"), "lb", false},
		{"nothing claimed", text("de"), "", false},
		{"no language", text("de"), "mul", false},
		{"a headline is too little", reports["de"][0], "en", false},
		{"a quotation in another", "He said “es la vida, que no es lo mismo” and left the stage", "en", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if e := Of(tt.text); e.Denies(tt.claim) != tt.want {
				code, sure := e.Best()
				t.Errorf("Denies(%q) = %v; best %s, %v", tt.claim, !tt.want, code, sure)
			}
		})
	}
}

func TestPrimary(t *testing.T) {
	for tag, want := range map[string]string{
		"de": "de", "EN-us": "en", "pt_BR": "pt", " fil ": "fil", "zh-Hant-TW": "zh", "": "", "und": "", "mul": "", "English": "", "x-klingon": "", "e": "", "d3": "",
	} {
		if got := Primary(tag); got != want {
			t.Errorf("Primary(%q) = %q, want %q", tag, got, want)
		}
	}
}

// The lists hold what the program relies on: known names, one script each, few enough for their bits.
func TestLists(t *testing.T) {
	if n := len(smallWords); n > maxProfiles {
		t.Fatalf("%d languages, want %d at most", n, maxProfiles)
	}
	for name, list := range smallWords {
		for w := range strings.FieldsSeq(list) {
			if w != strings.ToLower(w) || scriptOfWord(w) != tables.scripts[slices.Index(keys(smallWords), name)] && !strings.HasPrefix(w, "'") {
				t.Errorf("%s: %q is not in lower case or in another script", name, w)
			}
		}
	}
	for _, list := range []map[string]string{ownLetters} {
		for letters, names := range list {
			for name := range strings.FieldsSeq(names) {
				if smallWords[name] == "" {
					t.Errorf("%s: no language %q", letters, name)
				}
			}
		}
	}
	for name, ends := range endings {
		for end := range strings.FieldsSeq(ends) {
			if smallWords[name] == "" || utf8.RuneCountInString(end) > longestEnding {
				t.Errorf("ending %q of %q", end, name)
			}
		}
	}
	if len(ownScripts)+alone > maxScripts {
		t.Errorf("%d scripts", len(ownScripts)+alone)
	}
}

// FuzzOf: evidence adds up, and is never sure about a text without letters.
func FuzzOf(f *testing.F) {
	for _, r := range reports {
		f.Add(r[0], r[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		first, second := Of(a), Of(b)
		one, other := first, second
		one.Add(&second)
		other.Add(&first)
		if one != other {
			t.Fatalf("evidence of %q and %q depends on their order", a, b)
		}
		code, sure := one.Best()
		if sure && (code == "" || Primary(code) != code) {
			t.Fatalf("surely %q", code)
		}
		if sure && one.Denies(code) {
			t.Fatalf("surely %s, and denies it", code)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat(reports["en"][1]+" ", 6)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Of(text)
	}
}
