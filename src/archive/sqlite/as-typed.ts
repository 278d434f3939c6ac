/** The migration after which requests are told as they were typed, and every number can be read. */
export const AS_TYPED = `
  -- Requests are told as they were typed: elements that a person pasted, blank lines, the first line's indentation. What
  -- is still on disk is read again.
  UPDATE unit SET stamp = '', checkpoint = NULL, renews = 1;
  -- No date is later, and no count larger: one beyond what JavaScript can count could not be read at all.
  UPDATE chat SET created_at = NULL WHERE created_at > 8.64e15;
  UPDATE chat SET updated_at = NULL WHERE updated_at > 8.64e15;
  UPDATE chat SET born_at = NULL WHERE born_at > 8.64e15;
  UPDATE chat_message SET created_at = NULL WHERE created_at > 8.64e15;
  UPDATE chat_message SET input_tokens = NULL, output_tokens = NULL, cached_tokens = NULL, cache_write_tokens = NULL,
      reasoning_tokens = NULL, cost = NULL, latency_ms = NULL, thinking_ms = NULL
    WHERE input_tokens > 1e9 OR output_tokens > 1e9 OR cached_tokens > 1e9 OR cache_write_tokens > 1e9
      OR reasoning_tokens > 1e9 OR latency_ms > 1e9 OR thinking_ms > 1e9;
  `
