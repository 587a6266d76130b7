package icon

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
)

const (
	icoHeader    = 6
	icoEntry     = 16
	icoMost      = 64 // pictures in a file that are looked at
	bitmapHeader = 40 // BITMAPINFOHEADER
)

// entry is a picture in an ICO file.
type entry struct {
	side, depth int
	data        []byte
}

// decodeICO reads the most fitting picture of an ICO file: a PNG file, or a bitmap without its file header.
func decodeICO(data []byte) (image.Image, error) {
	if len(data) < icoHeader {
		return nil, fmt.Errorf("%w: it is cut off", ErrNotIcon)
	}
	var best *entry
	count := min(int(binary.LittleEndian.Uint16(data[4:])), icoMost, (len(data)-icoHeader)/icoEntry)
	for i := range count {
		e, ok := readEntry(data, data[icoHeader+i*icoEntry:])
		if ok && (best == nil || e.fits(best)) {
			best = &e
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%w: no picture in it", ErrNotIcon)
	}
	if bytes.HasPrefix(best.data, []byte("\x89PNG")) {
		return decodePicture(best.data)
	}
	return decodeBitmap(best.data)
}

func readEntry(file, b []byte) (entry, bool) {
	e := entry{side: int(b[0]), depth: int(binary.LittleEndian.Uint16(b[6:]))}
	if e.side == 0 {
		e.side = 256
	}
	size, offset := uint64(binary.LittleEndian.Uint32(b[8:])), uint64(binary.LittleEndian.Uint32(b[12:]))
	if size == 0 || offset+size > uint64(len(file)) {
		return e, false
	}
	e.data = file[offset : offset+size]
	return e, true
}

// fits says that a picture serves better than another: large enough and yet small, then in more colors.
func (e *entry) fits(o *entry) bool {
	switch {
	case e.side == o.side:
		return e.depth > o.depth
	case e.side >= Side && o.side >= Side:
		return e.side < o.side
	}
	return e.side > o.side
}

// bitmap is an uncompressed picture of a Windows icon: rows from the bottom up, each padded to four bytes, and after them a row of bits for
// each that says which pixels are not there.
type bitmap struct {
	w, h, depth   int
	palette       []byte // blue, green, red and nothing, for each color
	pixels, mask  []byte
	stride, holes int // bytes of a row, of pixels and of the mask
	alpha         bool
}

func decodeBitmap(data []byte) (image.Image, error) {
	b, err := readBitmap(data)
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, b.w, b.h))
	for y := range b.h {
		for x := range b.w {
			out.SetNRGBA(x, b.h-1-y, b.at(x, y))
		}
	}
	return out, nil
}

func readBitmap(data []byte) (*bitmap, error) {
	if len(data) < bitmapHeader || binary.LittleEndian.Uint32(data) != bitmapHeader {
		return nil, fmt.Errorf("%w: no bitmap header", ErrNotIcon)
	}
	field := func(at int) int { return int(int32(binary.LittleEndian.Uint32(data[at:]))) }
	b := &bitmap{w: field(4), h: field(8) / 2, depth: int(binary.LittleEndian.Uint16(data[14:]))} // the height counts the mask
	colors := field(32)
	switch {
	case b.w < 1 || b.h < 1 || b.w > maxSide || b.h > maxSide:
		return nil, fmt.Errorf("%w: %d × %d pixels", ErrNotIcon, b.w, b.h)
	case field(16) != 0:
		return nil, fmt.Errorf("%w: a compressed bitmap", ErrNotIcon)
	case b.depth == 1 || b.depth == 4 || b.depth == 8:
		if colors <= 0 || colors > 1<<b.depth {
			colors = 1 << b.depth
		}
	case b.depth == 24 || b.depth == 32:
		colors = 0
	default:
		return nil, fmt.Errorf("%w: %d bits a pixel", ErrNotIcon, b.depth)
	}
	b.stride, b.holes = (b.w*b.depth+31)/32*4, (b.w+31)/32*4
	pixels := bitmapHeader + 4*colors
	mask := pixels + b.stride*b.h
	if mask > len(data) {
		return nil, fmt.Errorf("%w: it is cut off", ErrNotIcon)
	}
	b.palette, b.pixels = data[bitmapHeader:pixels], data[pixels:mask]
	if len(data) >= mask+b.holes*b.h { // many 32-bit icons have none
		b.mask = data[mask:]
	}
	b.alpha = b.depth == 32 && b.anyAlpha()
	return b, nil
}

// anyAlpha says that the fourth bytes mean something: old programs left them all zero.
func (b *bitmap) anyAlpha() bool {
	for i := 3; i < len(b.pixels); i += 4 {
		if b.pixels[i] != 0 {
			return true
		}
	}
	return false
}

// at is the color of a pixel, y from the bottom.
func (b *bitmap) at(x, y int) color.NRGBA {
	row := b.pixels[y*b.stride:]
	var c []byte
	switch b.depth {
	case 32, 24:
		c = row[x*b.depth/8:]
	default:
		per := 8 / b.depth
		index := int(row[x/per]) >> (8 - b.depth*(x%per+1)) & (1<<b.depth - 1)
		if 4*index+4 > len(b.palette) {
			return color.NRGBA{}
		}
		c = b.palette[4*index:]
	}
	out := color.NRGBA{c[2], c[1], c[0], 255}
	switch {
	case b.alpha:
		out.A = c[3]
	case b.mask != nil && b.mask[y*b.holes+x/8]>>(7-x%8)&1 == 1:
		out.A = 0
	}
	return out
}
