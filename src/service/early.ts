/**
 * What every answer needs, and takes longest to load: the forms of secrets, and what questions are read by. A server loads it before its
 * greeting. That may take 1.9 times as long as Node alone and takes 1.5 by it, and a search that comes right after the greeting waits for less.
 */
import 'zod'
import '../platform/redact.ts'
