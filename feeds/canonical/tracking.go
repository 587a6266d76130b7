package canonical

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// trackingPrefixes start the names of parameters that tell where a reader came from and select nothing.
var trackingPrefixes = [...]string{
	"utm_", "mtm_", "pk_", "piwik_", "at_", "hsa_", "fb_", "mc_", "oly_", "vero_", "cm_mmc", "ns_", "_hs", "__hs", "itm_", "wt_", "xtor", "spm",
}

// isTracking tells the names of such parameters, given in lower case and unescaped.
func isTracking(name string) bool {
	switch name {
	case "fbclid", "gclid", "dclid", "gbraid", "wbraid", "gclsrc", "msclkid", "twclid", "ttclid", "yclid", "ysclid", "igshid", "igsh",
		"mkt_tok", "srsltid", "_openstat", "wickedid", "rb_clickid", "sc_cid", "cmpid", "cmp", "campaign_id", "ito", "ocid", "icid", "ncid",
		"smid", "smtyp", "partner", "sref", "source_feed", "ref_src", "feedtype", "feed_type":
		return true
	}
	for _, p := range trackingPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// dropTracking takes such parameters out of a query. What stays keeps its order, spelling and separators.
func (r Rules) dropTracking(query string) string {
	if query == "" {
		return ""
	}
	var b strings.Builder
	for rest := query; rest != ""; {
		end := strings.IndexAny(rest, "&;")
		parameter, separator := rest, ""
		if end >= 0 {
			parameter, separator = rest[:end], rest[end:end+1]
		}
		rest = rest[len(parameter)+len(separator):]
		name, _, _ := strings.Cut(parameter, "=")
		if strings.ContainsAny(name, "%+") {
			if plain, err := url.QueryUnescape(name); err == nil {
				name = plain
			}
		}
		if parameter == "" || isTracking(strings.ToLower(name)) && !r.keeps(name) {
			continue
		}
		b.WriteString(parameter)
		b.WriteString(separator)
	}
	return strings.TrimRightFunc(b.String(), func(r rune) bool { return isSeparator(r) || unicode.IsSpace(r) })
}

func (r Rules) keeps(name string) bool {
	return slices.ContainsFunc(r.Keep, func(kept string) bool { return strings.EqualFold(kept, name) })
}
