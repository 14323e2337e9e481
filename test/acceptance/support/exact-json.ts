/**
 * JSON read without loss: a number becomes `#` and the characters that were sent, so that `#1.50`,
 * `#1e-7` and the string `1.5` are three different values.
 */

// biome-ignore lint/suspicious/noExplicitAny: a stranger's answer is looked at as it is
export type Exact = any

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Parses `text`; numbers come as `#<as written>`. */
export function exactJson(text: string): Exact {
  JSON.parse(text)
  return JSON.parse(text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"#${token}"`)))
}

/** The characters of a number read by `exactJson`. Throws unless it is written as a plain decimal. */
export function numberText(value: unknown): string {
  if (typeof value !== 'string' || !/^#(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(value)) {
    throw new Error(`expected a JSON number as a plain decimal, found ${JSON.stringify(value)}`)
  }
  return value.slice(1)
}
