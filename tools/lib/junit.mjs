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

/** How many tests passed, and by name those that failed and those that were skipped (todo ones included). */
export function readReport(xml) {
  const failed = []
  const skipped = []
  let passed = 0
  for (const match of xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const [, tag, body = ''] = match
    const name = [attribute(tag, 'file'), attribute(tag, 'classname'), attribute(tag, 'name')]
      .filter((part) => part !== '')
      .join(' > ')
    if (/<(?:failure|error)\b/.test(body)) failed.push(name)
    else if (/<skipped\b/.test(body)) skipped.push(name)
    else passed += 1
  }
  return { passed, failed, skipped }
}
