/**
 * Parses the words and options of a command line. `--name value` and `--name=value` are the same; everything
 * after a bare `--` is a word. It checks the form of options, not their meaning.
 */

import { nearest } from '../units/nearest.ts'

/** The command line is invalid. The message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `flag` options have no value; the others require one. */
export type OptionForms = Readonly<Record<string, 'flag' | 'value'>>

export type Arguments = {
  readonly words: readonly string[]
  /** A flag that was given has the value `true`. */
  readonly options: ReadonlyMap<string, string | true>
}

/**
 * Parses a command line; throws a `UsageError` for an option that is unknown, given twice or without its
 * value.
 */
export function parseArguments(line: readonly string[], forms: OptionForms): Arguments {
  const words: string[] = []
  const options = new Map<string, string | true>()
  for (let i = 0; i < line.length; i++) {
    const item = line[i] as string
    if (item === '--') {
      words.push(...line.slice(i + 1))
      break
    }
    if (item === '-h') options.set('help', true)
    else if (!item.startsWith('--')) words.push(item)
    else {
      const { name, attached } = splitOption(item)
      const form = Object.hasOwn(forms, name) ? forms[name] : undefined
      if (form === undefined) throw new UsageError(`unknown option --${name}${suggestion(name, forms)}`)
      if (options.has(name)) throw new UsageError(`--${name} is given twice`)
      if (form === 'flag') {
        if (attached !== undefined) throw new UsageError(`--${name} takes no value`)
        options.set(name, true)
      } else {
        const value = attached ?? line[++i]
        if (value === undefined) throw new UsageError(`--${name} needs a value`)
        options.set(name, value)
      }
    }
  }
  return { words, options }
}

/** Throws a `UsageError` if there is a word where only options may follow. */
export function refuseExtraWord(word: string | undefined): void {
  if (word === undefined) return
  throw new UsageError(`unexpected argument ${JSON.stringify(word)}; expected an option`)
}

function splitOption(item: string): { name: string; attached: string | undefined } {
  const equals = item.indexOf('=')
  if (equals < 0) return { name: item.slice(2), attached: undefined }
  return { name: item.slice(2, equals), attached: item.slice(equals + 1) }
}

/** The address in `--url` or its variable; throws a `UsageError`. */
export function httpAddress(text: string): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text)
  throw new UsageError(`--url needs an address such as http://127.0.0.1:8081, found ${text}`)
}

/** `; did you mean --port?` if a known option is close. */
function suggestion(name: string, forms: OptionForms): string {
  const near = nearest(name, Object.keys(forms))
  return near === undefined ? '' : `; did you mean --${near}?`
}
