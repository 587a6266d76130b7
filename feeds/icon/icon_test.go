package icon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// plain is a picture of one color.
func plain(w, h int, c color.Color) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		m.Set(i%w, i/w, c)
	}
	return m
}

func encoded(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// ico makes an icon file of pictures with the sides and depths that its directory tells.
func ico(pictures ...entry) []byte {
	b := []byte{0, 0, 1, 0, byte(len(pictures)), 0}
	offset := icoHeader + icoEntry*len(pictures)
	for _, p := range pictures {
		e := make([]byte, icoEntry)
		e[0], e[1] = byte(p.side), byte(p.side)
		binary.LittleEndian.PutUint16(e[6:], uint16(p.depth))
		binary.LittleEndian.PutUint32(e[8:], uint32(len(p.data)))
		binary.LittleEndian.PutUint32(e[12:], uint32(offset))
		b, offset = append(b, e...), offset+len(p.data)
	}
	for _, p := range pictures {
		b = append(b, p.data...)
	}
	return b
}

// dib makes a bitmap of 2 × 2 pixels without a file header; rows come from the bottom up.
func dib(depth int, rest ...byte) []byte {
	h := make([]byte, bitmapHeader)
	binary.LittleEndian.PutUint32(h, bitmapHeader)
	binary.LittleEndian.PutUint32(h[4:], 2)
	binary.LittleEndian.PutUint32(h[8:], 4)
	binary.LittleEndian.PutUint16(h[12:], 1)
	binary.LittleEndian.PutUint16(h[14:], uint16(depth))
	return append(h, rest...)
}

func TestPNG(t *testing.T) {
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	var g, j bytes.Buffer
	if err := errors.Join(gif.Encode(&g, plain(16, 16, red), nil), jpeg.Encode(&j, plain(16, 16, color.White), nil)); err != nil {
		t.Fatal(err)
	}
	half := plain(64, 64, red)
	for i := range 64 * 32 {
		half.Set(i%64, i/64, blue)
	}
	picture := func(side, depth int, c color.Color) entry {
		return entry{side, depth, encoded(t, plain(side, side, c))}
	}
	palette := []byte{255, 0, 0, 0, 0, 0, 255, 0} // blue, red
	for _, tt := range []struct {
		name        string
		data        []byte
		w, h        int
		first, last color.NRGBA // of the upper left and the lower right pixel
	}{
		{"png", encoded(t, plain(16, 16, red)), 16, 16, red, red},
		{"gif", g.Bytes(), 16, 16, red, red},
		{"jpeg", j.Bytes(), 16, 16, color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 255, 255, 255}},
		{"made smaller", encoded(t, half), 32, 32, blue, red},
		{"wide", encoded(t, plain(128, 8, red)), 32, 2, red, red},
		{"a line", encoded(t, plain(1000, 1, red)), 32, 1, red, red},
		{"half clear", encoded(t, plain(16, 16, color.NRGBA{255, 0, 0, 128})), 16, 16, color.NRGBA{255, 0, 0, 128}, color.NRGBA{255, 0, 0, 128}},
		{"icon: the smallest that is large enough", ico(picture(16, 32, blue), picture(64, 32, blue), picture(32, 32, red), picture(128, 32, blue)), 32, 32, red, red},
		{"icon: the largest of small ones", ico(picture(8, 32, blue), picture(24, 32, red), picture(16, 32, blue)), 24, 24, red, red},
		{"icon: the one in more colors", ico(picture(32, 4, blue), picture(32, 32, red)), 32, 32, red, red},
		{"icon: past one that is cut off", ico(entry{32, 32, nil}, picture(16, 32, red)), 16, 16, red, red},
		{"bitmap of 32 bits", ico(entry{2, 32, dib(32, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 255, 128)}), 2, 2, red, color.NRGBA{}},
		{"bitmap of 32 bits without alpha", ico(entry{2, 32, dib(32, 0, 0, 255, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0)}), 2, 2, red, blue},
		{"bitmap of 24 bits with a mask", ico(entry{2, 24, dib(24, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0)}), 2, 2, color.NRGBA{}, blue},
		{"bitmap of 8 bits", ico(entry{2, 8, bitmap8(palette)}), 2, 2, blue, red},
		{"bitmap of 4 bits", ico(entry{2, 4, palettedDIB(4, palette, 0x01, 0x01)}), 2, 2, blue, red},
		{"bitmap of 1 bit", ico(entry{2, 1, palettedDIB(1, palette, 0x40, 0x40)}), 2, 2, blue, red},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := PNG(tt.data)
			if err != nil {
				t.Fatal(err)
			}
			m, err := png.Decode(bytes.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			size := m.Bounds().Size()
			first := color.NRGBAModel.Convert(m.At(0, 0))
			last := color.NRGBAModel.Convert(m.At(size.X-1, size.Y-1))
			if size.X != tt.w || size.Y != tt.h || first != color.Color(tt.first) || last != color.Color(tt.last) {
				t.Errorf("%d × %d from %v to %v, want %d × %d from %v to %v", size.X, size.Y, first, last, tt.w, tt.h, tt.first, tt.last)
			}
		})
	}
}

// palettedDIB is a bitmap of two rows and a palette that tells how many colors it has.
func palettedDIB(depth int, palette []byte, lower, upper byte) []byte {
	b := dib(depth)
	binary.LittleEndian.PutUint32(b[32:], uint32(len(palette)/4))
	return append(append(b, palette...), lower, 0, 0, 0, upper, 0, 0, 0)
}

func bitmap8(palette []byte) []byte {
	b := dib(8)
	binary.LittleEndian.PutUint32(b[32:], 2)
	return append(append(b, palette...), 0, 1, 0, 0, 0, 1, 0, 0)
}

func TestPNGRefuses(t *testing.T) {
	whole := ico(entry{2, 32, dib(32, make([]byte, 16)...)})
	wide := dib(32, make([]byte, 16)...)
	binary.LittleEndian.PutUint32(wide[4:], 100_000)
	packed := dib(32, make([]byte, 16)...)
	packed[16] = 1
	for _, tt := range []struct {
		name string
		data []byte
	}{
		{"nothing", nil},
		{"svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)},
		{"a web page", []byte("<!doctype html><title>Not found</title>")},
		{"too many bytes", make([]byte, MaxBytes+1)},
		{"too many pixels", encoded(t, image.NewGray(image.Rect(0, 0, 4000, 2)))},
		{"a cut png", encoded(t, plain(16, 16, color.Black))[:50]},
		{"the beginning of an icon", []byte("\x00\x00\x01\x00")},
		{"an icon of nothing", []byte("\x00\x00\x01\x00\x00\x00")},
		{"an icon that promises more than it has", []byte("\x00\x00\x01\x00\xff\xff")},
		{"a cut icon", whole[:len(whole)-4]},
		{"a bitmap of two-bit pixels", ico(entry{2, 2, dib(2, make([]byte, 32)...)})},
		{"a bitmap that is too wide", ico(entry{2, 32, wide})},
		{"a compressed bitmap", ico(entry{2, 32, packed})},
		{"a bitmap without its pixels", ico(entry{2, 32, dib(32)})},
		{"a bitmap without a header", ico(entry{2, 32, []byte("x")})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, err := PNG(tt.data); !errors.Is(err, ErrNotIcon) {
				t.Errorf("PNG gave %d bytes, %v; want ErrNotIcon", len(out), err)
			}
		})
	}
}

// FuzzPNG: whatever comes in, what comes out is a PNG of at most 32 × 32 pixels, or nothing.
func FuzzPNG(f *testing.F) {
	f.Add(encoded(f, plain(40, 20, color.Black)))
	f.Add(ico(entry{2, 32, dib(32, make([]byte, 24)...)}, entry{16, 32, encoded(f, plain(16, 16, color.White))}))
	f.Add(ico(entry{2, 4, palettedDIB(4, []byte{1, 2, 3, 0}, 0xff, 0x01)}))
	f.Add(ico(entry{2, 1, palettedDIB(1, []byte{1, 2, 3, 0, 4, 5, 6, 0}, 0x40, 0x80)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := PNG(data)
		if err != nil {
			if !errors.Is(err, ErrNotIcon) {
				t.Fatal(err)
			}
			return
		}
		c, err := png.DecodeConfig(bytes.NewReader(out))
		if err != nil || c.Width < 1 || c.Height < 1 || c.Width > Side || c.Height > Side {
			t.Fatalf("%d × %d, %v", c.Width, c.Height, err)
		}
	})
}
