/** A QR code as the path of its dark squares. */
import { encode } from 'uqr'

/** The quiet zone around it that the standard requires (ISO/IEC 18004, 6.3.8). */
const BORDER = 4

export function qrPath(text: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
  return { path: rows.join(''), size }
}
