/** The customers processes: which of them answer, since when, their builds, and refused requests. */
import type {
  AdminCustomersProcess,
  CustomersLack,
  CustomersProcessState,
} from '../../../../contract/admin/records.ts'
import { timeText } from '../../state/notation.ts'
import { say, type Text } from '../../texts/texts.ts'
import { State, Table } from '../parts/parts.tsx'

const STATES = {
  ANSWERS: ['answers', 'good'],
  NO_ANSWER: ['does not answer', 'bad'],
  CERTIFICATE_REFUSED: ['its certificate is not trusted', 'bad'],
  SECRET_REFUSED: ['does not accept the secret', 'bad'],
  NOT_ASKED_YET: ['not contacted yet', 'warn'],
} as const satisfies Record<CustomersProcessState, readonly [Text, 'good' | 'warn' | 'bad']>

const REFUSED = {
  STORE: 'everything: its database does not answer',
  EXCHANGE: 'sign-ins and changes: no leading engine answers it',
} as const satisfies Record<CustomersLack, Text>

export function CustomersProcesses({ processes }: { readonly processes: readonly AdminCustomersProcess[] }) {
  return (
    <Table
      label="Customers processes"
      rows={processes}
      keyOf={({ name }) => name}
      none="The cluster file lists no members."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'State', cell: ({ state }) => <Answers state={state} /> },
        { title: 'Refused', isText: true, cell: (process) => <Refused process={process} /> },
        { title: 'Since, UTC', cell: ({ since }) => timeText(since) },
        { title: 'Build', cell: ({ version, commit }) => buildText(version, commit) },
      ]}
    />
  )
}

function Answers({ state }: Pick<AdminCustomersProcess, 'state'>) {
  const [word, kind] = STATES[state]
  return <State word={word} kind={kind} />
}

function Refused({ process: { state, lacks } }: { readonly process: AdminCustomersProcess }) {
  if (state !== 'ANSWERS') return <span>–</span>
  if (lacks.length === 0) return <span>{say('nothing')}</span>
  return <State word={say(REFUSED[lacks.includes('STORE') ? 'STORE' : 'EXCHANGE'])} kind="bad" />
}

function buildText(version: string | null, commit: string | null): string {
  if (version === null) return '–'
  return commit === null || commit === 'unknown' ? version : `${version}, ${commit}`
}
