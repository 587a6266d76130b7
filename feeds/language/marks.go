package language

// ownLetters are letters that single languages write and most of their script do not.
var ownLetters = map[string]string{
	"ß": "de", "ñ": "es gl", "ł": "pl", "ż": "pl mt", "śź": "pl", "ń": "pl", "ąę": "pl lt", "őű": "hu", "ğıİ": "tr az", "ş": "tr az", "șțţ": "ro", "ă": "ro vi",
	"ã": "pt", "õ": "pt et", "å": "sv da no", "ø": "da no", "æ": "da no is", "đ": "hr sr vi", "ěřů": "cs", "ľĺŕ": "sk", "ćčšž": "hr sr cs sk sl lt lv",
	"ėįų": "lt", "āēīņļķģ": "lv", "ū": "lv lt", "ðþ": "is", "ç": "fr pt tr az sq ca", "ë": "sq nl af", "ə": "az", "è": "it fr ca", "òù": "it", "œ": "fr",
	"ê": "fr pt vi af", "î": "ro fr", "ä": "de sv fi et", "ö": "de sv fi et hu tr is az", "ü": "de hu tr et az", "ċġħ": "mt",
	"ơưạảấầẩẫậắằẳặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủũứừửữựỳỵỷỹ": "vi",

	"і": "uk be kk", "їєґ": "uk", "ў": "be", "ы": "ru be kk mn", "э": "ru be mn", "ё": "ru be", "ъ": "bg", "щ": "ru uk bg", "љњјџ": "sr-Cyrl mk", "ђћ": "sr-Cyrl", "ѓќѕ": "mk",
	"әңұһ": "kk", "ғқ": "kk tg", "өү": "mn kk", "ӣӯҳҷ": "tg",

	"ةىأإ": "ar", "پچگ": "fa ur ps ckb", "یک": "fa ur ps ckb", "ٹڈڑںےھہ": "ur", "ۆێڵڕە": "ckb", "ښځڅډړۍې": "ps",
}

// endings are ends of longer words that are common in a language and rare in others.
var endings = map[string]string{
	"de": "ung ungen keit heit lich liche lichen schaft isch ischen", "en": "ing ness ally ment ted", "fr": "eur euse aient ment ique tion aux",
	"es": "ción ciones miento dad ando iendo aron ieron", "pt": "ção ções mento dade aram eram", "it": "zione zioni mento ità ato ati", "ca": "ció cions ment itat",
	"gl": "ción cións mento dade", "nl": "heid lijk lijke eert ingen", "af": "heid like ering", "sv": "ning arna erna heten ande ades ingen", "da": "erne elsen heden ende ningen",
	"no": "elsen heten ende ningen", "fi": "ssa ssä sta stä lla llä nut nen mme ksi een", "et": "mine mise nud tud sse", "hu": "ban ben nak nek ság ség ról ből val vel",
	"pl": "ego ych owa ość ości ania enia ami", "cs": "ého ých ost osti ení ání ovat", "sk": "ého ých osť osti enie anie ovať", "ro": "ului ilor ției area ație ții elor",
	"tr": "lar ler ları leri ında inde nın nin yor mak mek acak", "az": "lar lər ları ləri ında ndə nın nin maq mək", "hr": "anje enje ima ski nih", "sr": "anje enje ima ski nih",
	"sl": "anje enje ega ski nih", "lt": "imas imo ams ose iai uoti usi", "lv": "ība ības šana šanas iem ajā", "id": "kan nya", "ms": "kan nya",
	"ru": "ого ых ость ости ения ание ться ами", "uk": "ого их ість ості ення ання ться ами", "be": "ага ых асць асці ення анне цца амі", "bg": "ите ата ето ение ване ия",
	"mk": "ите ата ето ње ува", "sr-Cyrl": "ање ење има ски них",
}
