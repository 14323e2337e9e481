/**
 * Import cycles: files that import themselves through others. Files in a cycle cannot be understood, tested
 * or moved one at a time, whether they import values or types.
 */

/**
 * A shortest cycle for each group of files that import each other, as steps `{ file, line }`: the file, and
 * the line of its import of the next one. `importsByFile`: by file, `{ target, line }` of each import;
 * targets that are not keys are ignored.
 */
export function importCycles(importsByFile) {
  const cycles = []
  const seen = new Set()
  for (const file of [...importsByFile.keys()].sort()) {
    if (seen.has(file)) continue
    const cycle = cycleThrough(file, importsByFile)
    if (cycle === undefined) continue
    for (const step of cycle) seen.add(step.file)
    cycles.push(cycle)
  }
  return cycles
}

/** A shortest path from `start` back to it; undefined if there is none. */
function cycleThrough(start, importsByFile) {
  const wayByFile = new Map([[start, []]])
  const waiting = [start]
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    for (const { target, line } of importsByFile.get(file)) {
      const way = [...wayByFile.get(file), { file, line }]
      if (target === start) return way
      if (!importsByFile.has(target) || wayByFile.has(target)) continue
      wayByFile.set(target, way)
      waiting.push(target)
    }
  }
  return undefined
}
