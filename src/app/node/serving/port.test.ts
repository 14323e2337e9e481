import { expect, test } from 'bun:test'
import { bindPort, PortFault, reachableUrl } from './port.ts'

test('what listens on all addresses is reached on this machine by the loopback of the same family', () => {
  expect(reachableUrl('http://0.0.0.0:8080')).toBe('http://127.0.0.1:8080')
  expect(reachableUrl('https://[::]:8443/')).toBe('https://[::1]:8443/')
  expect(reachableUrl('http://10.0.0.0:8080')).toBe('http://10.0.0.0:8080')
})

test('a port that cannot be opened is named with what to do, whatever error the system gives', () => {
  const messageOf = (code: string | undefined): string => {
    try {
      bindPort('10.0.0.1', 443, '--port', () => {
        throw Object.assign(new Error('the system’s words'), code === undefined ? {} : { code })
      })
    } catch (error) {
      expect(error).toBeInstanceOf(PortFault)
      return (error as Error).message
    }
    return 'nothing was thrown'
  }
  expect(messageOf('EADDRINUSE')).toBe(
    'port 443 on 10.0.0.1 is in use; choose another with --port, or 0 for any free port',
  )
  expect(messageOf('EACCES')).toBe('this user may not use port 443; choose one above 1023 with --port')
  for (const other of ['EADDRNOTAVAIL', undefined])
    expect(messageOf(other)).toBe('cannot listen on 10.0.0.1 port 443: the system’s words')
  expect(bindPort('::1', 0, '--port', () => 'listening')).toBe('listening')
})
