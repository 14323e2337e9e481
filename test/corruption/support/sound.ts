/** An intact directory, and the effect of a change in one of its files. */
import { audit } from '../../../src/app/maintenance/verification/directory.fixture.ts'
import { type Damage, damaged } from './damage.ts'
import { type Image, writeImage } from './image.ts'
import { start } from './start.ts'

/** The errors with which a start may fail. Any other is reported as a bug. */
const KNOWN_FAULTS = ['JournalFault', 'HistoryFault', 'MasterKeyFault', 'StateDivergedFault']

/**
 * `problem`: the change was not detected and the answers differ, or it was detected without the file's name.
 */
export type Found = 'NAMED' | 'WITHOUT_EFFECT' | { readonly problem: string }

export class SoundDirectory {
  readonly image: Image
  readonly #directory: string
  readonly #report: unknown
  readonly #state: string

  /** Checks that `image`, written to `directory`, is intact. */
  static async of(image: Image, directory: string): Promise<SoundDirectory> {
    writeImage(directory, image)
    const { code, report, err } = await verify(directory)
    const started = await start(directory)
    if (code !== 0 || 'fault' in started) {
      throw new Error(
        `expected a sound directory: ${err} ${JSON.stringify(report)} ${JSON.stringify(started)}`,
      )
    }
    return new SoundDirectory(image, directory, report, started.state)
  }

  private constructor(image: Image, directory: string, report: unknown, state: string) {
    this.image = image
    this.#directory = directory
    this.#report = report
    this.#state = state
  }

  async tryDamage(damage: Damage): Promise<Found> {
    writeImage(this.#directory, damaged(this.image, damage))
    const { code, report, err } = await verify(this.#directory)
    const isSound = code === 0
    if (isSound && !Bun.deepEquals(report, this.#report)) {
      return { problem: 'bourse verify finds another exchange, and sound' }
    }
    if (!isSound && report === undefined && err === '')
      return { problem: 'bourse verify does not say what is wrong' }
    const started = await start(this.#directory)
    if ('fault' in started) {
      const isKnown = KNOWN_FAULTS.some((name) => started.fault.startsWith(`${name}: `))
      return isKnown ? 'NAMED' : { problem: `reported as a bug: ${started.fault}` }
    }
    if (started.state !== this.#state) return { problem: 'the start goes on with another state' }
    return isSound ? 'WITHOUT_EFFECT' : 'NAMED'
  }
}

/**
 * The report without the history's position: a history that is behind is intact, and the next start brings it
 * up to date.
 */
async function verify(
  directory: string,
): Promise<{ readonly code: number; readonly report: unknown; readonly err: string }> {
  const { code, out, err } = await audit('verify', '--data', directory, '--json')
  if (out === '') return { code, report: undefined, err }
  const { history, ...report } = JSON.parse(out)
  return { code, report, err }
}
