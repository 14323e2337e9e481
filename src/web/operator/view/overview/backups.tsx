/** How old the newest backup is, how far it goes, and whether the last attempt succeeded. */
import type { AdminBackups } from '../../../../wire/admin-records.ts'
import { bytesText, spanText, timeText } from '../../state/words.ts'
import { Facts, State } from '../parts/parts.tsx'

/** A backup of every night that is late by half a day is one that was not made. */
const OLD_SECONDS = 36 * 3_600

/** null: the journal is in a database. */
export function Backups({ backups }: { readonly backups: AdminBackups | null }) {
  if (backups === null)
    return (
      <p class="help">
        The journal is in a database: its backups are the database’s own, and not known here.
      </p>
    )
  const { newest, failed } = backups
  return (
    <>
      <h3>Backups</h3>
      {failed !== null && (
        <p class="problem">
          <State word={`the last attempt failed at ${timeText(failed.at)} UTC`} kind="bad" /> {failed.problem}
        </p>
      )}
      {newest === null ? (
        <p class="help">
          <State word="none is known" kind="warn" /> Of this directory <code>bourse backup</code> has made
          none. Of copies made otherwise the node knows nothing.
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
  const word = `${spanText(age)} ago`
  return (
    <Facts
      pairs={[
        ['Newest', <State key="age" word={word} kind={age > OLD_SECONDS ? 'bad' : 'good'} />],
        ['Made, UTC', timeText(createdAt)],
        ['Up to command', seq.toLocaleString('en-US')],
        ['Size', bytesText(bytes)],
        ['Verified', 'read back and replayed'],
        ['In', <code key="in">{directory}</code>],
      ]}
    />
  )
}
