/**
 * Where the servers write what an operator should know. The shape is pino's, so that its logger fits as it is.
 */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
