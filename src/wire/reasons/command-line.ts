/**
 * Why `bourse` did not carry out a command, where no server was asked or none answered.
 */
import { type CommandLineReasonEntry, notDone } from './entry.ts'

export const COMMAND_LINE_CATALOGUE = {
  NOT_UNDERSTOOD: notDone(
    {
      en: 'The command line was not understood.',
      when: 'the command line was not understood',
      remedy: 'see the help that the line on standard error names',
    },
    2,
  ),
  NO_ANSWER: notDone(
    {
      en: 'No node answered.',
      when: 'no node runs there, not the one meant, or it did not answer; from `backup`, `verify` and the like with exit code 2',
      remedy: 'the message says whether anything was sent',
    },
    1,
  ),
  CANNOT_RUN: notDone(
    {
      en: 'The command cannot be carried out.',
      when: 'a command on files cannot be carried out: a directory is missing, holds something else, or cannot be written',
      remedy: 'as the message says',
    },
    2,
  ),
  DAMAGED: notDone(
    {
      en: 'The journal is damaged.',
      when: 'the journal is damaged beyond being opened',
      remedy: '[restore or repair it](../operating.md#the-journal-is-damaged)',
    },
    1,
  ),
  WITNESS: notDone(
    {
      en: 'The journal is shorter than its witness.',
      when: 'the journal is shorter than what its witness, a snapshot or the history remembers',
      remedy: '[find out why](../operating.md#the-journal-is-damaged) before anything is accepted',
    },
    1,
  ),
  FAILED: notDone(
    {
      en: 'Storage failed.',
      when: 'reading or writing the journal failed',
      remedy: 'look at the disk and at the machine’s log',
    },
    2,
  ),
  NO_DESCRIPTORS: notDone(
    {
      en: 'No file descriptor is left.',
      when: 'no file can be opened: the process or the system has no file descriptor left',
      remedy: 'raise its limit (`ulimit -n`, `LimitNOFILE`), or end what uses them up',
    },
    2,
  ),
  IN_USE: notDone(
    {
      en: 'Another process has the journal.',
      when: 'another process works on the data directory',
      remedy: 'stop it first, or name another directory',
    },
    2,
  ),
  UNSUPPORTED: notDone(
    {
      en: 'This version of the program cannot read the journal.',
      when: 'another version of the program wrote the journal, or the file is none',
      remedy: 'use the version that wrote it, or a newer one',
    },
    2,
  ),
  SEALED: notDone(
    {
      en: 'The exchange was moved elsewhere.',
      when: 'the journal is sealed: the exchange was moved elsewhere, and goes on there',
      remedy: 'start it there; [finish the move](../cluster.md#moving-an-exchange) if it was cut short',
    },
    2,
  ),
} as const satisfies Record<string, CommandLineReasonEntry>
