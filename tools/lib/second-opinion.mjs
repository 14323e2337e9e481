/**
 * Tests that state the interface by hand: fields, types, order and envelope. A comparison of the program with
 * its own declarations would prove nothing, so neither these tests nor any file that they reach may import a
 * file of the program.
 */

/** Folders of these tests. */
const STATED_BY_HAND = ['test/acceptance/']
/** Folder of the program. */
const PROGRAM = 'src/'

/**
 * The imports `{ file, line, target }` of the program in files that such a test reaches.
 * `importsByFile`: as in `import-cycles.mjs`.
 */
export function importsOfProgram(importsByFile) {
  const isByHand = (file) => STATED_BY_HAND.some((folder) => file.startsWith(folder))
  const reached = new Set([...importsByFile.keys()].filter(isByHand))
  const found = []
  for (const file of reached) {
    for (const { target, line } of importsByFile.get(file) ?? []) {
      if (target.startsWith(PROGRAM)) found.push({ file, line, target })
      else reached.add(target)
    }
  }
  return found
}
