/** The integer part of a figure in groups of three digits, in the notation of the whole page. */

const GROUP_ENDS = /\B(?=(?:\d{3})+$)/g

/** A narrow no-break space. A comma or a point would mean a fraction in one of the page's languages. */
export const GROUP_SPACE = '\u202f'

/** `1 234` from `1234`. */
export function groupedWhole(digits: string): string {
  return digits.replace(GROUP_ENDS, GROUP_SPACE)
}

/** `1 234.5` from the exact decimal `1234.5`: all decimals are kept, and nothing is rounded. */
export function groupedText(decimal: string): string {
  const [whole = '', ...rest] = decimal.split('.')
  return [groupedWhole(whole), ...rest].join('.')
}
