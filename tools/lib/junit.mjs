/** Reads the JUnit report that Bun's test runner writes. */

function unescapeXml(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function attribute(tag, name) {
  return unescapeXml(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function outcomeOf(body) {
  if (/<(?:failure|error)\b/.test(body)) return 'failed'
  return /<skipped\b/.test(body) ? 'skipped' : 'passed'
}

/** The tests of a report: file, full name, outcome (todo tests count as skipped) and milliseconds. */
export function readReport(xml) {
  const tests = []
  for (const match of xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const [, tag, body = ''] = match
    const file = attribute(tag, 'file')
    const name = [file, attribute(tag, 'classname'), attribute(tag, 'name')]
      .filter((part) => part !== '')
      .join(' > ')
    tests.push({ file, name, outcome: outcomeOf(body), tookMs: Number(attribute(tag, 'time')) * 1000 })
  }
  return { tests }
}

/**
 * The last lines that the runner printed about a failed test of this report, before its name: the error and
 * where it arose. Undefined if the output does not have it.
 */
export function errorLinesOf({ file, name }, output, linesMax) {
  const title = name.slice(file === '' ? 0 : file.length + ' > '.length)
  const lines = output.split('\n')
  // Another file may have a test of the same name, and another test a name that begins alike.
  const ofFile = file === '' ? 0 : lines.indexOf(`${file}:`)
  const isIt = (line) => line === `(fail) ${title}` || line.startsWith(`(fail) ${title} [`)
  const end = lines.findIndex((line, index) => index >= ofFile && isIt(line))
  if (ofFile === -1 || end === -1) return undefined
  const before = lines.slice(0, end)
  const start = before.findLastIndex(
    (line) => /^\((?:pass|fail|skip|todo)\) /.test(line) || line === `${file}:`,
  )
  return before
    .slice(start + 1)
    .filter((line) => line.trim() !== '')
    .slice(-linesMax)
}
