/** The anchors of a page, as GitHub derives them from its headings: the valid targets of a link after `#`. */
import { readFileSync } from 'node:fs'

export function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.*?)[ #]*$/gm)) {
    const slug = slugOf(heading)
    // A repeated heading is numbered: limits, limits-1, limits-2.
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

/** Only the text of links is kept, and of it letters, digits, `_`, `-` and spaces, which become `-`. */
function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
