export interface ClientFile {
  file: string
  /** Whose file it is, where a client has several. */
  label?: string
  /** If one of these is there, so is the client. */
  signs: string[]
}
