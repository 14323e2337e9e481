/** The age and the last command of the newest backup, and whether the last attempt succeeded. */
import type { AdminBackups } from '../../../../contract/admin/records.ts'
import { bytesText, spanText, timeText } from '../../state/notation.ts'
import { type Said, say } from '../../texts/texts.ts'
import { Facts, State } from '../parts/parts.tsx'

/** A nightly backup that is half a day late has failed. */
const OLD_SECONDS = 36 * 3_600

/** null if the journal is in a database. */
export function Backups({ backups }: { readonly backups: AdminBackups | null }) {
  if (backups === null)
    return (
      <p class="help">
        {say('The journal is in a database: back it up with the database. Its backups are not shown here.')}
      </p>
    )
  const { newest, failed } = backups
  return (
    <>
      <h3>{say('Backups')}</h3>
      {failed !== null && (
        <p class="problem">
          <State
            word={say('the last backup failed at {time} UTC', { time: timeText(failed.at) })}
            kind="bad"
          />{' '}
          {failed.problem}
        </p>
      )}
      {newest === null ? (
        <p class="help">
          <State word="no backup yet" kind="warn" />{' '}
          {say('Make one with “bourse backup”. Copies made in other ways are not shown here.')}
        </p>
      ) : (
        <Newest newest={newest} />
      )}
    </>
  )
}

function Newest({ newest }: { readonly newest: NonNullable<AdminBackups['newest']> }) {
  const { createdAt, seq, bytes, directory } = newest
  const age = (Date.now() - Date.parse(createdAt)) / 1_000
  const word: Said = say('{time} ago', { time: spanText(age) })
  return (
    <Facts
      pairs={[
        ['Newest', <State key="age" word={word} kind={age > OLD_SECONDS ? 'bad' : 'good'} />],
        ['Created, UTC', timeText(createdAt)],
        ['Up to command', seq.toLocaleString('en-US')],
        ['Size', bytesText(bytes)],
        ['Verified', say('read back and replayed')],
        ['Directory', <code key="in">{directory}</code>],
      ]}
    />
  )
}
