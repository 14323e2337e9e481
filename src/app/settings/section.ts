/**
 * Settings of a node as a section of another file, under their names in the configuration file of
 * `bourse serve`, and their combination with a cluster process's own settings.
 */
import { SERVE_DEFAULTS, type Settings } from './defaults.ts'
import type { SettingValue } from './kinds.ts'
import { collectSettings, contradictionsOf, type Origin, problemOf, SettingsError } from './load.ts'
import type { Located } from './located-json.ts'
import { build, flatten, SETTINGS } from './schema.ts'

/** By name: the value, and its place. */
export type SectionSettings = ReadonlyMap<string, Origin>

/**
 * The values of a section, and all problems in it. `elsewhere` has names that do not belong in it, with the
 * place where they belong. `section` is undefined if the section is absent.
 */
export function settingsOfSection(
  file: string,
  section: Located | undefined,
  name: string,
  elsewhere: ReadonlyMap<string, string>,
): { readonly values: SectionSettings; readonly problems: readonly string[] } {
  const problems: string[] = []
  const values = new Map<string, Origin>()
  if (section?.kind !== 'object') return { values, problems }
  const said = collectSettings(file, section, problems, `${name}.`)
  for (const setting of SETTINGS) {
    const one = said.get(setting.name)
    if (one === undefined) continue
    const value = setting.kind.check(one.value)
    const other = elsewhere.get(setting.name)
    if (other !== undefined) problems.push(`${one.place}: not allowed here: ${other}`)
    else if (value === undefined) problems.push(problemOf(setting, one))
    else values.set(setting.name, { value, place: one.place })
  }
  if (problems.length === 0) problems.push(...contradictionsOf(withDefaults(values)))
  return { values, problems }
}

/**
 * The settings of one process: those of the section and its own, over the defaults of `bourse serve`. Throws
 * `SettingsError` if they contradict each other.
 */
export function settingsWith(section: SectionSettings, own: ReadonlyMap<string, SettingValue>): Settings {
  const origins = withDefaults(section)
  for (const [name, value] of own) origins.set(name, { value, place: undefined })
  const problems = contradictionsOf(origins)
  if (problems[0] !== undefined) throw new SettingsError(problems[0], undefined, problems)
  const values = new Map([...origins].map(([name, { value }]) => [name, value]))
  return build(values, { isInit: false, acceptJournalTail: false, acceptClock: false })
}

function withDefaults(values: SectionSettings): Map<string, Origin> {
  const all = new Map<string, Origin>()
  for (const [name, value] of flatten(SERVE_DEFAULTS)) {
    if (value !== undefined) all.set(name, { value, place: undefined })
  }
  for (const [name, origin] of values) all.set(name, origin)
  return all
}
