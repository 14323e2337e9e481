/** A list of operators' commands: actor, command, time, note and outcome. */
import type { AdminAction } from '../../../../contract/admin/records.ts'
import { timeText } from '../../state/notation.ts'
import type { Said, Text } from '../../texts/texts.ts'
import { Table } from './parts.tsx'
import { FieldsText } from './value.tsx'

export function Actions({
  label,
  actions,
}: {
  readonly label: Text | Said
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
        { title: 'Result', cell: ({ outcome }) => outcome },
        { title: 'Why', isText: true, cell: ({ note }) => note || '–' },
        { title: 'Details', isText: true, cell: ({ fields }) => <FieldsText fields={fields} /> },
      ]}
    />
  )
}
