/**
 * A minimal scanner of TypeScript that finds names in code without being misled by comments, strings and
 * regular expressions. It keeps every position, so that a finding can state its line.
 */

const REGEX_MAY_FOLLOW =
  /(?:^|[=([{,;:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|void|delete|await))\s*$/

/** Blanks the characters from `start` to `end`, except newlines. */
function blank(characters, start, end) {
  for (let i = start; i < end; i++) if (characters[i] !== '\n') characters[i] = ' '
}

function endOfQuoted(text, start) {
  const quote = text[start]
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote || text[i] === '\n') return i
  }
  return text.length
}

function endOfRegex(text, start) {
  let inClass = false
  for (let i = start + 1; i < text.length; i++) {
    const c = text[i]
    if (c === '\\') i++
    else if (c === '[') inClass = true
    else if (c === ']') inClass = false
    else if ((c === '/' && !inClass) || c === '\n') return i
  }
  return text.length
}

/**
 * The same text with the insides of comments, strings, templates and regular expressions blanked. Code in
 * `${...}` of a template is kept, without its comments. Quotes stay where they are.
 */
export function codeOnly(text) {
  return blanked(text, true)
}

/** The same text with only comments blanked: strings, templates and regular expressions are kept. */
export function withoutComments(text) {
  return blanked(text, false)
}

function blanked(text, withTexts) {
  const out = text.split('')
  const blankText = (start, end) => {
    if (withTexts) blank(out, start, end)
  }
  const templateDepths = []
  let depth = 0
  let i = 0
  const template = (start) => {
    let at = start
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '\\') at += 2
      else if (text[at] === '$' && text[at + 1] === '{') {
        blankText(start, at)
        templateDepths.push(depth++)
        return at + 2
      } else at++
    }
    blankText(start, at)
    return at + 1
  }
  while (i < text.length) {
    const c = text[i]
    if (c === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i)
      const stop = end < 0 ? text.length : end
      blank(out, i, stop)
      i = stop
    } else if (c === '/' && text[i + 1] === '*') {
      const end = text.indexOf('*/', i + 2)
      const stop = end < 0 ? text.length : end + 2
      blank(out, i, stop)
      i = stop
    } else if (c === "'" || c === '"') {
      const end = endOfQuoted(text, i)
      blankText(i + 1, end)
      i = end + 1
    } else if (c === '`') {
      i = template(i + 1)
    } else if (c === '/' && REGEX_MAY_FOLLOW.test(out.slice(Math.max(0, i - 40), i).join(''))) {
      const end = endOfRegex(text, i)
      blankText(i + 1, end)
      i = end + 1
    } else if (c === '{') {
      depth++
      i++
    } else if (c === '}') {
      depth--
      i++
      if (templateDepths.at(-1) === depth) {
        templateDepths.pop()
        i = template(i)
      }
    } else i++
  }
  return out.join('')
}

/** 1-based line of a position. */
export function lineAt(text, position) {
  let line = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < position; i = text.indexOf('\n', i + 1)) line++
  return line
}

const FROM = /\b(?:import|export)\b(?:[^'"`;=]*?\bfrom)?\s*(['"])|\b(?:import|require)\s*\(\s*(['"`])/g

/** Every module imported in `text`: `{ specifier, position, dynamic }`. Type-only imports are included. */
export function importsOf(text, code = codeOnly(text)) {
  const found = []
  for (const match of code.matchAll(FROM)) {
    const quoteAt = match.index + match[0].length - 1
    const end = code.indexOf(code[quoteAt], quoteAt + 1)
    if (end < 0) continue
    found.push({
      specifier: text.slice(quoteAt + 1, end),
      position: match.index,
      dynamic: match[2] !== undefined,
    })
  }
  return found
}
