/**
 * The reasons why `bourse` did not carry out a command, if it sent no request to a server or received no
 * answer.
 */
import { type CommandLineReasonEntry, notDone } from './entry.ts'

export const COMMAND_LINE_CATALOGUE = {
  NOT_UNDERSTOOD: notDone(
    {
      en: 'The command line is invalid.',
      when: 'the command line is invalid',
      remedy: 'see the help command named on standard error',
    },
    2,
  ),
  NO_ANSWER: notDone(
    {
      en: 'The node does not answer.',
      when: 'no node runs there, it is not the expected one, or it did not answer; `backup`, `verify` and similar commands then exit with code 2',
      remedy: 'the message says whether anything was sent',
    },
    1,
  ),
  CANNOT_RUN: notDone(
    {
      en: 'The command cannot be carried out.',
      when: 'a command that works on files cannot be carried out: a directory is missing, has unexpected content, or is not writable',
      remedy: 'follow the message',
    },
    2,
  ),
  DAMAGED: notDone(
    {
      en: 'The journal is damaged.',
      when: 'the journal is too damaged to be opened',
      remedy: '[restore or repair it](../recovery.md#the-journal-is-damaged)',
    },
    1,
  ),
  WITNESS: notDone(
    {
      en: 'The journal is shorter than its witness records.',
      when: 'the journal is shorter than its witness, a snapshot or the history records',
      remedy: '[find the cause](../recovery.md#the-journal-is-damaged) before you accept it',
    },
    1,
  ),
  FAILED: notDone(
    {
      en: 'Storage failed.',
      when: 'reading or writing the journal failed',
      remedy: 'check the disk and the machine’s log',
    },
    2,
  ),
  NO_DESCRIPTORS: notDone(
    {
      en: 'No file descriptors are left.',
      when: 'no file can be opened: the process or the system has no file descriptors left',
      remedy: 'raise the limit (`ulimit -n`, `LimitNOFILE`), or stop the programs that use them up',
    },
    2,
  ),
  IN_USE: notDone(
    {
      en: 'Another process uses the journal.',
      when: 'another process uses the data directory',
      remedy: 'stop it first, or name another directory',
    },
    2,
  ),
  UNSUPPORTED: notDone(
    {
      en: 'This version of the program cannot read the journal.',
      when: 'another version of the program wrote the journal, or the file is not a journal',
      remedy: 'use the version that wrote it, or a newer one',
    },
    2,
  ),
  SEALED: notDone(
    {
      en: 'The exchange was moved to another place.',
      when: 'the journal is sealed: the exchange was moved and continues elsewhere',
      remedy: 'start it there; [finish the move](../cluster.md#moving-an-exchange) if it was interrupted',
    },
    2,
  ),
} as const satisfies Record<string, CommandLineReasonEntry>
