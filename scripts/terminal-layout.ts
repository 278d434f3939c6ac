import constants from '../node_modules/yoga-layout/dist/src/generated/YGEnums.js'
import { loadYoga } from '../node_modules/yoga-layout/dist/src/load.js'

/** In place of the library's own file, which waits for it while it is loaded: names at once, the rest when it is there. */
const layout = { ...constants }
export default layout

/** In place of src/cli/brows./library-is-there.ts. */
export const libraryIsThere: Promise<void> = loadYoga().then((yoga) => void Object.assign(layout, yoga))
