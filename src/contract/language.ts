/** The language of texts for people. Codes, reasons and field names never depend on it. */

export const LANGUAGES = ['en', 'tr'] as const
export type Language = (typeof LANGUAGES)[number]

/** One text in every language. */
export type Localised = { readonly [L in Language]: string }

/** Longest `Accept-Language` that is read; of a longer one, the ranges that end within it. */
const ACCEPT_LANGUAGE_MAX = 256

/**
 * Picks the language for an `Accept-Language` header (RFC 9110, 12.5.4): the supported language with the
 * highest weight, the first of several with the same weight, or English if none is requested.
 */
export function pickLanguage(acceptLanguage: string | null | undefined): Language {
  if (!acceptLanguage) return 'en'
  let best: Language = 'en'
  let bestWeight = 0
  for (const range of wholeRanges(acceptLanguage).split(',')) {
    const [tag = '', ...options] = range.trim().toLowerCase().split(';')
    const language = languageOf(tag.trim())
    const weight = weightOf(options)
    if (language !== undefined && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}

/** A truncated range could specify a language other than the requested one. */
function wholeRanges(acceptLanguage: string): string {
  if (acceptLanguage.length <= ACCEPT_LANGUAGE_MAX) return acceptLanguage
  return acceptLanguage.slice(0, Math.max(0, acceptLanguage.lastIndexOf(',', ACCEPT_LANGUAGE_MAX)))
}

function languageOf(tag: string): Language | undefined {
  return LANGUAGES.find((language) => tag === language || tag.startsWith(`${language}-`))
}

/** The `q` of a language range: 1 if absent, 0 ("not wanted") if it is not a number from 0 to 1. */
function weightOf(options: readonly string[]): number {
  const quality = options.map((option) => option.trim()).find((option) => option.startsWith('q='))
  if (quality === undefined) return 1
  const weight = quality.slice(2)
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
}
