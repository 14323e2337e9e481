/**
 * Requests that look like attacks: by path and by headers, never by parameter values, since an odd value is
 * an ordinary validation error (docs/reference/rate-limits.md).
 */

/**
 * Patterns that no honest client sends in a path or a header. Any client can trigger these searches, so each
 * must be linear in the text: no two adjacent repetitions that match the same characters, and none without a
 * bound after a repeatable start.
 */
const INJECTIONS = [
  '<script', // markup that a careless log viewer would run
  'javascript:',
  '\\$\\{\\s*(?:jndi|env|sys|lower|upper|::-|\\$\\{)', // log lookups
  '\\(\\)\\s*\\{[^}]{0,200}\\}\\s*;', // functions in shell environments
  '\\bunion(?:\\s|%20|\\+|/\\*)+(?:all(?:\\s|%20|\\+)+)?select\\b',
  "'\\s*(?:or|and)\\s+'?\\d+'?\\s*=\\s*'?\\d", // ' or 1=1
  ';\\s*drop\\s+table\\b',
  '/etc/passwd',
  '\\bxp_cmdshell\\b',
].join('|')

/** Dot segments that survived normalization: encoded separators, backslashes, or encoded twice. */
const TRAVERSAL =
  '(?:\\.|%2e|%252e){2}(?:/|\\\\|%2f|%5c|%252f|%255c)|(?:/|\\\\|%2f|%5c|%252f|%255c)(?:\\.|%2e|%252e){2}(?:$|[/\\\\%])'

const PATH_ATTACK = new RegExp(`${TRAVERSAL}|%(?:25)?(?:[01][0-9a-f]|7f)|${INJECTIONS}`, 'i')
const HEADER_ATTACK = new RegExp(`\\.\\.[/\\\\]\\.\\.[/\\\\]|${INJECTIONS}`, 'i')

/** True for a path with remains of traversal, control bytes or injection patterns. */
export function isPathAttack(path: string): boolean {
  return hasControlByte(path) || PATH_ATTACK.test(path)
}

/** True for a header's value with control bytes (other than a tab) or injection patterns. */
export function isHeaderAttack(value: string): boolean {
  return hasControlByte(value) || HEADER_ATTACK.test(value)
}

function hasControlByte(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true
  }
  return false
}
