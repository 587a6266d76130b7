// Package icon makes small PNG pictures of what outlets show in browsers' tabs. What comes out holds nothing of the bytes that came in but
// colors: no text, no script, no second format hidden behind the first. SVG is never read.
package icon

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // formats that stand at /favicon.ico, whatever the name says
	_ "image/jpeg"
	"image/png"
)

// Limits of what is read.
const (
	MaxBytes = 256 << 10
	Side     = 32 // pixels of what comes out, at most
	maxSide  = 1024
)

// ErrNotIcon says that the bytes are no picture of a kind that is read, or too large a one.
var ErrNotIcon = errors.New("not a usable icon")

// PNG gives the picture in data, an ICO, PNG, GIF or JPEG file, as a PNG of at most [Side] × [Side] pixels. Of several sizes in an ICO file the
// smallest is taken that need not be enlarged. The error wraps ErrNotIcon.
func PNG(data []byte) ([]byte, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: larger than %d bytes", ErrNotIcon, MaxBytes)
	}
	picture, err := decode(data)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, shrink(picture)); err != nil {
		return nil, fmt.Errorf("write icon: %w", err)
	}
	return b.Bytes(), nil
}

func decode(data []byte) (image.Image, error) {
	if bytes.HasPrefix(data, []byte("\x00\x00\x01\x00")) {
		return decodeICO(data)
	}
	return decodePicture(data)
}

// decodePicture reads a PNG, GIF or JPEG file, after a look at how large it says it is.
func decodePicture(data []byte) (image.Image, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotIcon, err)
	}
	if c.Width < 1 || c.Height < 1 || c.Width > maxSide || c.Height > maxSide {
		return nil, fmt.Errorf("%w: %d × %d pixels", ErrNotIcon, c.Width, c.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotIcon, err)
	}
	return picture, nil
}

// shrink gives the picture in at most Side × Side pixels, each the mean of those it stands for. It is never enlarged.
func shrink(in image.Image) *image.NRGBA {
	b := in.Bounds()
	w, h := b.Dx(), b.Dy()
	longest := max(w, h, Side)
	out := image.NewNRGBA(image.Rect(0, 0, max(1, w*Side/longest), max(1, h*Side/longest)))
	size := out.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			area := image.Rect(x*w/size.X, y*h/size.Y, (x+1)*w/size.X, (y+1)*h/size.Y).Add(b.Min)
			out.Set(x, y, mean(in, area))
		}
	}
	return out
}

// mean is the mean color of an area, transparent pixels weighing nothing.
func mean(in image.Image, area image.Rectangle) color.Color {
	var r, g, b, a, n uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			pr, pg, pb, pa := in.At(x, y).RGBA()
			r, g, b, a, n = r+uint64(pr), g+uint64(pg), b+uint64(pb), a+uint64(pa), n+1
		}
	}
	n = max(n, 1)
	return color.RGBA64{uint16(r / n), uint16(g / n), uint16(b / n), uint16(a / n)}
}
