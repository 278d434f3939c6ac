"""Serves a small sentence model as an endpoint for embeddings, to measure what one adds to search.

  python endpoint.py WORK [PORT]

WORK holds model.fp16.safetensors, config.json and tokenizer.json of all-MiniLM-L6-v2, which the table of word
meanings was learned from (docs/decisions/0010-word-meanings.md). Needs numpy and tokenizers; no GPU. Then:
  node bench/quality/run.ts --sets FOLDER --endpoint http://127.0.0.1:8099/v1/embeddings
"""
import json
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

work = Path(sys.argv[1])
config = json.loads((work / 'config.json').read_text())
HEADS = config['num_attention_heads']
LONGEST = 128
one_at_a_time = threading.Lock()


def weights():
    raw = (work / 'model.fp16.safetensors').read_bytes()
    size = struct.unpack('<Q', raw[:8])[0]
    types = {'F16': np.float16, 'F32': np.float32}
    for name, about in json.loads(raw[8:8 + size]).items():
        if about.get('dtype') in types:
            start, end = (8 + size + at for at in about['data_offsets'])
            numbers = np.frombuffer(raw[start:end], types[about['dtype']]).astype(np.float32)
            yield name.removeprefix('bert.'), numbers.reshape(about['shape'])


W = dict(weights())
tokenizer = Tokenizer.from_file(str(work / 'tokenizer.json'))
tokenizer.no_padding()
tokenizer.enable_truncation(LONGEST)


def linear(x, name):
    return x @ W[f'{name}.weight'].T + W[f'{name}.bias']


def normed(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + config['layer_norm_eps']) * W[f'{name}.weight'] + W[f'{name}.bias']


def gelu(x):
    return .5 * x * (1 + np.tanh(.7978845608 * (x + .044715 * x ** 3)))


def embed(text):
    ids = tokenizer.encode(text).ids
    names = 'embeddings.word_embeddings', 'embeddings.position_embeddings', 'embeddings.token_type_embeddings'
    words, places, kinds = (W[f'{name}.weight'] for name in names)
    x = normed(words[ids] + places[:len(ids)] + kinds[0], 'embeddings.LayerNorm')
    for i in range(config['num_hidden_layers']):
        at = f'encoder.layer.{i}'
        q, k, v = (linear(x, f'{at}.attention.self.{part}').reshape(len(ids), HEADS, -1).swapaxes(0, 1) for part in ('query', 'key', 'value'))
        likeness = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        likeness = np.exp(likeness - likeness.max(-1, keepdims=True))
        seen = ((likeness / likeness.sum(-1, keepdims=True)) @ v).swapaxes(0, 1).reshape(len(ids), -1)
        x = normed(x + linear(seen, f'{at}.attention.output.dense'), f'{at}.attention.output.LayerNorm')
        inner = gelu(linear(x, f'{at}.intermediate.dense'))
        x = normed(x + linear(inner, f'{at}.output.dense'), f'{at}.output.LayerNorm')
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        texts = asked['input'] if isinstance(asked['input'], list) else [asked['input']]
        with one_at_a_time:
            vectors = [[round(float(number), 6) for number in embed(text)] for text in texts]
        data = [{'object': 'embedding', 'index': i, 'embedding': vector} for i, vector in enumerate(vectors)]
        body = json.dumps({'object': 'list', 'data': data, 'model': asked.get('model', '')}).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == '__main__':
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8099
    ThreadingHTTPServer(('127.0.0.1', port), Handler).serve_forever()
