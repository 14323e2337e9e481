/** Times, sizes and rates in the notation of the page. */

/** `2026-01-31 14:05:09` from an ISO time, in UTC. */
export function timeText(iso: string | null): string {
  return iso === null ? '–' : iso.slice(0, 19).replace('T', ' ')
}

/** Like `timeText`, from milliseconds since 1970. */
export function clockText(atMs: number): string {
  return timeText(new Date(atMs).toISOString())
}

/** `3 h 12 min`, `5 s`; the two largest units. */
export function spanText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const units = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** `1.4 GiB`. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return '–'
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  const value = bytes / 1024 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** `1,234`, `12.3`, `0.45`: three digits, or all those before the point. */
export function rateText(value: number | undefined): string {
  if (value === undefined) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Fields of a command or a fact, `account alice, amount 1.5`. */
export function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ')
}

/** `12,345.67`; a text that is not a plain decimal is unchanged. */
export function decimalText(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole === '') return text
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`
}

/** A message of the node as a sentence: with a capital letter and a full stop. */
export function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return /[.?!]$/.test(text) ? text : `${text}.`
}
