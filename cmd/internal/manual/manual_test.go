package manual

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func nothing(*cobra.Command, []string) {}

// program is a command with one of everything that a page can show.
func program() *cobra.Command {
	root := &cobra.Command{Use: "press", Short: "Print papers"}
	fold := &cobra.Command{
		Use: "fold PAPER...", Short: "Fold papers", Run: nothing,
		Long:    "Fold papers, one after the other.\n\n.hidden ones, too:\n\n\tfold .a \\b\n\n'quoted' ends it.",
		Example: "  press fold a-b",
	}
	fold.Flags().IntP("times", "t", 2, "`number` of folds")
	fold.Flags().Bool("wet", false, "fold when wet")
	fold.Flags().String("secret", "", "not shown")
	if err := fold.Flags().MarkHidden("secret"); err != nil {
		panic(err)
	}
	root.AddCommand(fold, &cobra.Command{Use: "ghost", Hidden: true, Run: nothing}, &cobra.Command{Use: "help", Run: nothing})
	return root
}

func TestPages(t *testing.T) {
	o := Options{Version: `1.0-"x"`, Appendix: []Section{{"FILES", []Term{{"/etc/press", "Its settings."}}}}}
	got := map[string]string{}
	for _, p := range Pages(program(), o) {
		got[p.Name] = p.Text
	}
	want := map[string]string{
		"press.1": `.TH "PRESS" 1 "" "press 1.0\-\(dqx\(dq" "User Commands"
.SH "NAME"
press \- Print papers
.SH "SYNOPSIS"
\fBpress\fR COMMAND [options]
.SH "DESCRIPTION"
Print papers.
.SH "COMMANDS"
.TP
\fBpress\-fold\fR(1)
Fold papers.
.SH "FILES"
.TP
\fB/etc/press\fR
Its settings.
.SH "SEE ALSO"
\fBpress\-fold\fR(1)
`,
		"press-fold.1": `.TH "PRESS\-FOLD" 1 "" "press 1.0\-\(dqx\(dq" "User Commands"
.SH "NAME"
press\-fold \- Fold papers
.SH "SYNOPSIS"
\fBpress fold\fR PAPER... [flags]
.SH "DESCRIPTION"
Fold papers, one after the other.
.PP
\&.hidden ones, too:
.PP
.nf
	fold .a \eb
.fi
.PP
\&'quoted' ends it.
.SH "OPTIONS"
.TP
\fB\-t\fR, \fB\-\-times\fR=\fInumber\fR
number of folds (default 2).
.TP
\fB\-\-wet\fR
fold when wet.
.SH "EXAMPLES"
.nf
  press fold a\-b
.fi
.SH "SEE ALSO"
\fBpress\fR(1)
`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Pages (-want +got):\n%s", diff)
	}
}

// A page is a function of the program: nothing of the day or the machine is in it.
func TestPagesAreReproducible(t *testing.T) {
	if diff := cmp.Diff(Pages(program(), Options{Version: "1"}), Pages(program(), Options{Version: "1"})); diff != "" {
		t.Errorf("the second writing differs:\n%s", diff)
	}
}
