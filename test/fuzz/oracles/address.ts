/**
 * A second parser of network addresses, written by hand from RFC 4291 and RFC 4632, character by character,
 * as strings of bits.
 */

/** The 32 or 128 bits of an address; undefined if the text is not an address. */
export function addressBits(text: string): string | undefined {
  const zone = text.indexOf('%')
  const four = fourBits(text)
  if (four !== undefined) return four
  const six = sixBits(zone < 0 ? text : text.slice(0, zone))
  const mapped = `${'0'.repeat(80)}${'1'.repeat(16)}`
  return six?.startsWith(mapped) ? six.slice(96) : six
}

/** Address bits and prefix length of a range; undefined if the text is not a range. */
export function rangeBits(text: string): { bits: string; prefix: number } | undefined {
  const [address = '', length, ...more] = text.split('/')
  const bits = addressBits(address)
  if (bits === undefined || more.length > 0) return undefined
  if (length === undefined) return { bits, prefix: bits.length }
  const isNumber = [...length].every(isDigit) && length !== '' && (length === '0' || length[0] !== '0')
  if (!isNumber || length.length > 3) return undefined
  const prefix = Number(length) - (bits.length === 32 && address.includes(':') ? 96 : 0)
  return prefix < 0 || prefix > bits.length ? undefined : { bits, prefix }
}

function isDigit(character: string): boolean {
  return character.length === 1 && character >= '0' && character <= '9'
}

function isHex(character: string): boolean {
  return (
    isDigit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F')
  )
}

function fourBits(text: string): string | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bits = ''
  for (const part of parts) {
    if (part === '' || part.length > 3 || ![...part].every(isDigit)) return undefined
    if (part.length > 1 && part[0] === '0') return undefined
    if (Number(part) > 255) return undefined
    bits += Number(part).toString(2).padStart(8, '0')
  }
  return bits
}

function sixBits(text: string): string | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1))
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 128 ? head : undefined
  if (tail === undefined || head.length + tail.length > 112) return undefined
  return head + '0'.repeat(128 - head.length - tail.length) + tail
}

/** Groups between colons; only the last group of the complete address may be an IPv4 address. */
function groupsOf(half: string, isEnd: boolean): string | undefined {
  if (half === '') return ''
  const groups = half.split(':')
  let bits = ''
  for (const [index, group] of groups.entries()) {
    if (isEnd && index === groups.length - 1 && group.includes('.')) {
      const four = fourBits(group)
      if (four === undefined) return undefined
      bits += four
      continue
    }
    if (group === '' || group.length > 4 || ![...group].every(isHex)) return undefined
    bits += Number.parseInt(group, 16).toString(2).padStart(16, '0')
  }
  return bits
}
