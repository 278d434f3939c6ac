/** Made up, and put together here so that no scanner takes these files for a leak. */
export const mixed = (length: number) => 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY'.repeat(8).slice(0, length)
export const hex = (length: number) => '3f9a1c7e5b2d8046'.repeat(10).slice(0, length)

/** Whether ten letters of it, one after the other, are still there. */
export function hasPiece(text: string, secret: string): boolean {
  const length = Math.min(10, secret.length)
  return Array.from(secret.slice(length - 1)).some((_, i) => text.includes(secret.slice(i, i + length)))
}
