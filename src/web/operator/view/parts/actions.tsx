/** Commands of operators as a list: who did what, when, why, and what came of it. */
import type { AdminAction } from '../../../../wire/admin-records.ts'
import { fieldsText, timeText } from '../../state/words.ts'
import { Table } from './parts.tsx'

export function Actions({
  label,
  actions,
}: {
  readonly label: string
  readonly actions: readonly AdminAction[]
}) {
  return (
    <Table
      label={label}
      rows={actions}
      keyOf={({ seq }) => seq}
      none="Nothing was done."
      columns={[
        { title: 'Command', isFigure: true, cell: ({ seq }) => seq },
        { title: 'Time, UTC', cell: ({ time }) => timeText(time) },
        { title: 'Who', cell: ({ actor }) => actor },
        { title: 'What', cell: ({ kind }) => kind },
        { title: 'Outcome', cell: ({ outcome }) => outcome },
        { title: 'Why', isText: true, cell: ({ note }) => note || '–' },
        { title: 'Fields', isText: true, cell: ({ fields }) => fieldsText(fields) },
      ]}
    />
  )
}
