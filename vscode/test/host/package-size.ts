import yauzl from 'yauzl'

/** What a packed extension is made of, in bytes as they are packed. */
export interface PackageSize {
  /** Code, styles and words. */
  code: number
  /** Tables that search looks words up in. */
  tables: number
  pictures: number
  /** What is said of the package itself: README, changes, licences. */
  texts: number
  largest: [file: string, bytes: number][]
}

/** Code, styles and words of the package. Why tables are not counted: docs/decisions/0053-size-of-the-extension.md. */
export const MOST_CODE = 500_000

export async function sizeOf(vsix: string): Promise<PackageSize> {
  const zip = await yauzl.openPromise(vsix, { lazyEntries: true })
  const files: [file: string, bytes: number][] = []
  for await (const { fileName, compressedSize } of zip.eachEntry()) files.push([fileName, compressedSize])
  const sum = (of: RegExp) =>
    files.filter(([name]) => of.test(name)).reduce((bytes, [, size]) => bytes + size, 0)
  const tables = sum(TABLES)
  const pictures = sum(PICTURES)
  const texts = sum(TEXTS)
  return {
    tables,
    pictures,
    texts,
    code: sum(/./) - tables - pictures - texts,
    largest: files.toSorted(([, a], [, b]) => b - a),
  }
}

const TABLES = /\.(bin|zst|br)$/
const PICTURES = /\.png$/
const TEXTS = /\.(md|txt)$/
