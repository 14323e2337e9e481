/** A style sheet that a module imports as a text. */
declare module '*.css' {
  const text: string
  export default text
}
