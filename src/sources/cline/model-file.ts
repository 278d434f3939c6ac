/** What the model was sent, of one task. */
export const MODEL_FILE = 'api_conversation_history.json'
