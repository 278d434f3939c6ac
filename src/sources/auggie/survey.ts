import { documentIn, kindName, kinds, type Survey } from '../coverage/survey.ts'
import { object, objects, words } from '../json.ts'

/** What else a node says besides its number. */
const ABOUT = new Set(['id', 'type', 'content', 'timestamp_ms', 'metadata'])

export const survey: Survey = {
  used: kinds('exchange node/tool_use node/tool_result_node'),
  ignored: kinds(
    'node/text_node node/billing_metadata node/token_usage node/thinking node/agent_memory node',
  ),
  *records({ path }, glance) {
    for (const turn of objects(object(documentIn(path, glance))?.chatHistory)) {
      const exchange = object(turn.exchange)
      const isTyped = words(exchange?.request_message) && turn.isHistorySummary !== true
      yield { kind: 'exchange', turns: isTyped ? 1 : 0 }
      for (const node of [...objects(exchange?.request_nodes), ...objects(exchange?.response_nodes)]) {
        const [payload] = Object.keys(node).filter((key) => !ABOUT.has(key) && node[key] != null)
        yield { kind: kindName('node', payload) }
      }
    }
  },
}
