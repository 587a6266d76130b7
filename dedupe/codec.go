package dedupe

import (
	"encoding/binary"
	"math"
)

// encoder appends values to the data of a record.
type encoder struct{ data []byte }

func (e *encoder) byte(b byte)     { e.data = append(e.data, b) }
func (e *encoder) uint(n uint64)   { e.data = binary.AppendUvarint(e.data, n) }
func (e *encoder) int(n int64)     { e.data = binary.AppendVarint(e.data, n) }
func (e *encoder) hash(h uint64)   { e.data = binary.LittleEndian.AppendUint64(e.data, h) }
func (e *encoder) float(f float64) { e.hash(math.Float64bits(f)) }

func (e *encoder) bool(b bool) {
	if b {
		e.byte(1)
		return
	}
	e.byte(0)
}

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.data = append(e.data, s...)
}

// decoder takes values off the front of data. Once data ends too early it has failed, and gives zero values.
type decoder struct {
	data   []byte
	failed bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.data) {
		d.failed, d.data = true, nil
		return make([]byte, min(max(n, 0), 8))
	}
	taken := d.data[:n]
	d.data = d.data[n:]
	return taken
}

func (d *decoder) byte() byte { return d.take(1)[0] }
func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.failed, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.data)
	if size <= 0 {
		d.failed, d.data = true, nil
		return 0
	}
	d.data = d.data[size:]
	return n
}

func (d *decoder) hash() uint64   { return binary.LittleEndian.Uint64(d.take(8)) }
func (d *decoder) float() float64 { return math.Float64frombits(d.hash()) }

func (d *decoder) string() string {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.failed, d.data = true, nil
		return ""
	}
	return string(d.take(int(n)))
}

// length reads how many items of at least size bytes follow; 0 if there is no room for them, so that no hostile number allocates.
func (d *decoder) length(size int) int {
	n := d.uint()
	if n > uint64(len(d.data)/size) {
		d.failed, d.data = true, nil
		return 0
	}
	return int(n)
}
