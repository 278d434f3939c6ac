"""Trains the table of word meanings: a static student of all-MiniLM-L6-v2 in six languages.

  python train.py prepare WORK     vocabulary, pieces of every text, the teacher's vectors
  python train.py train WORK OUT   the table, as scripts/meaning/pack.ts reads it

WORK holds (docs/decisions/0010-word-meanings.md says where they come from):
  model.fp16.safetensors, config.json, tokenizer.json   the teacher
  texts.tsv.xz     kind, text, text or nothing: `en-ru` and so on are translations, `reply` a message and its
                   answer, `same` two texts of one thing, `one` a text alone
  words.tsv.xz     language, word, English words with their probabilities (word:p word:p …)

A text is the normalised sum of its distinct pieces. The student learns three things at once: to point where
the teacher points, to keep two texts of one thing together, and to order other texts as the teacher does.
Needs torch, transformers, tokenizers, safetensors and numpy, and a GPU for some minutes.
"""
import collections
import lzma
import math
import re
import struct
import sys
import unicodedata
from pathlib import Path

ROWS = {'en': 36_000, 'ru': 11_000, 'zh': 9_000, 'de': 6_000, 'es': 4_500, 'fr': 4_500}
SINGLE_HAN = 3_500
SUFFIXES = 2_500
DIMS = 128
KEPT_DIMS = 64
EPOCHS = 8
BATCH = 8_192
LONGEST_TEXT = 96
SHARES = {'one': .30, 'same': .12, 'reply': .08, 'en-ru': .14, 'en-zh': .14, 'en-de': .08, 'en-es': .07, 'en-fr': .07}

WORD = re.compile(r'[^\W\d_]+|\d+')
HAN = re.compile('[\u3400-\u4dbf\u4e00-\u9fff]+')
CAMEL = re.compile(r'([a-z])(?=[A-Z])')


def units(text):
    """Runs of letters, of digits, and of Chinese: as src/search/meaning/pieces.ts takes a text apart."""
    text = CAMEL.sub(r'\1 ', unicodedata.normalize('NFKC', text)).lower().replace('ё', 'е')
    for word in WORD.findall(text):
        at = 0
        for run in HAN.finditer(word):
            if run.start() > at:
                yield word[at:run.start()]
            yield run.group()
            at = run.end()
        if at < len(word):
            yield word[at:]


def pieces_of(unit, rows):
    """The unit itself, or the longest parts of it that the table has."""
    if unit in rows:
        return [rows[unit]]
    is_han = HAN.match(unit) is not None
    end, longest = (len(unit), 5) if is_han else (min(len(unit), 40), 20)
    parts, at = [], 0
    while at < end:
        for size in range(min(longest, end - at), 0, -1):
            row = rows.get(('##' if at and not is_han else '') + unit[at:at + size])
            if row is not None:
                parts.append(row)
                break
        at += size
    return parts


def pieces(text, rows):
    return list(dict.fromkeys(piece for unit in units(text) for piece in pieces_of(unit, rows)))[:LONGEST_TEXT]


def read_rows(file):
    for line in lzma.open(file, 'rt', encoding='utf-8'):
        kind, first, *rest = line.rstrip('\n').split('\t')
        yield kind, first[:400], (rest[0] if rest else '')[:400]


def vocabulary(rows, teacher_words):
    """The teacher's own English pieces, then the commonest words of each language, then endings."""
    counts = {language: collections.Counter() for language in ROWS}
    for kind, first, second in rows:
        counts['en'].update(set(units(first)))
        counts[kind[3:] if kind.startswith('en-') else 'en'].update(set(units(second)))
    words = dict.fromkeys(teacher_words)
    limit = 0
    for language, size in ROWS.items():
        limit += size
        count = han_words(counts['zh']) if language == 'zh' else counts[language]
        least = 4 if language == 'en' else 3
        for word, times in sorted(count.items(), key=lambda item: (-item[1], item[0])):
            if len(words) >= limit:
                break
            if times >= least and not word.isdigit() and (language == 'zh' or not HAN.search(word)):
                words.setdefault(word)
    endings = collections.Counter()
    for count in counts.values():
        for word, times in count.items():
            if word in words or HAN.search(word):
                continue
            for size in range(len(word) - 1, 2, -1):
                if word[:size] in words:
                    if len(word) - size <= 6:
                        endings['##' + word[size:]] += times
                    break
    for ending, _ in sorted(endings.items(), key=lambda item: (-item[1], item[0]))[:SUFFIXES]:
        words.setdefault(ending)
    for letter in 'abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщъыьэюяäöüßñéè':
        words.setdefault(letter)
    return list(words)


def han_words(counts):
    """Chinese has no spaces: signs that stand together more often than by chance are a word."""
    grams = collections.Counter()
    for run, times in counts.items():
        if HAN.fullmatch(run):
            for size in range(1, 5):
                for at in range(len(run) - size + 1):
                    grams[run[at:at + size]] += times
    signs = sum(times for gram, times in grams.items() if len(gram) == 1)
    single = {gram: times for gram, times in grams.items() if len(gram) == 1}
    best = dict(sorted(single.items(), key=lambda item: (-item[1], item[0]))[:SINGLE_HAN])
    longer = collections.Counter()
    for gram, times in grams.items():
        if len(gram) > 1:
            for inner in (gram[1:], gram[:-1]):
                longer[inner] = max(longer[inner], times)
    for gram, times in grams.items():
        # What is nearly always part of a longer one is a fragment.
        if len(gram) < 2 or times < 8 or longer[gram] > .7 * times:
            continue
        chance = min(math.log(times * signs / (grams[gram[:at]] * grams[gram[at:]])) for at in range(1, len(gram)))
        if chance > 1.5:
            best[gram] = times * min(3, chance) / len(gram) ** .3
    return collections.Counter(best)


def teacher(work):
    import torch
    from safetensors.torch import load_file
    from tokenizers import Tokenizer
    from transformers import BertConfig, BertModel
    model = BertModel(BertConfig.from_json_file(work / 'config.json'), add_pooling_layer=False)
    weights = {name.removeprefix('bert.'): value.float() for name, value in load_file(work / 'model.fp16.safetensors').items()}
    model.load_state_dict({name: value for name, value in weights.items() if 'pooler' not in name}, strict=False)
    model = model.cuda().half().eval()
    tokenizer = Tokenizer.from_file(str(work / 'tokenizer.json'))
    tokenizer.no_padding()
    tokenizer.enable_truncation(128)

    @torch.no_grad()
    def embed(texts):
        ids = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        vectors = torch.empty(len(ids), 384, dtype=torch.half)
        for start in range(0, len(order), 1_024):
            batch = order[start:start + 1_024]
            width = max(1, max(len(ids[i]) for i in batch))
            tokens = torch.zeros(len(batch), width, dtype=torch.long)
            mask = torch.zeros(len(batch), width)
            for at, i in enumerate(batch):
                tokens[at, :len(ids[i])] = torch.tensor(ids[i])
                mask[at, :len(ids[i])] = 1
            mask = mask.cuda()
            hidden = model(input_ids=tokens.cuda(), attention_mask=mask).last_hidden_state.float()
            mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
            vectors[batch] = torch.nn.functional.normalize(mean, dim=1).half().cpu()
        return vectors

    return embed, tokenizer


def prepare(work):
    import torch
    embed, tokenizer = teacher(work)
    rows = list(dict.fromkeys(read_rows(work / 'texts.tsv.xz')))
    known = tokenizer.get_vocab()
    plain = re.compile(r'^(##)?[a-z]+$|^\d{1,4}$')
    words = vocabulary(rows, [word for word in sorted(known, key=known.get) if plain.match(word)])
    row_of = {word: row for row, word in enumerate(words)}
    texts = list(dict.fromkeys(text for row in rows for text in row[1:] if text))
    at = {text: i for i, text in enumerate(texts)}
    english = [text for text in texts if text in {row[1] for row in rows} | {row[2] for row in rows if not row[0].startswith('en-')}]
    first = embed([word.removeprefix('##') for word in words]).float()
    # A foreign word begins where its translations are.
    for language, word, translations in read_rows(work / 'words.tsv.xz'):
        pairs = [entry.rsplit(':', 1) for entry in translations.split(' ') if ':' in entry]
        near = [(row_of[name], float(p)) for name, p in pairs if name in row_of]
        if language != 'en' and word in row_of and near:
            first[row_of[word]] = sum(first[row] * p for row, p in near) / sum(p for _, p in near)
    torch.save({
        'words': words,
        'pieces': [pieces(text, row_of) for text in texts],
        'rows': [(kind, at[a], at.get(b, -1) if b else -1) for kind, a, b in rows],
        'taught': {at[text]: i for i, text in enumerate(english)},
        'vectors': embed(english),
        'first': first,
    }, work / 'prepared.pt')
    print(f'{len(words)} words, {len(texts)} texts, {len(rows)} rows')


def train(work, out):
    import torch
    import torch.nn.functional as F
    torch.manual_seed(1)
    given = torch.load(work / 'prepared.pt', weights_only=False)
    words, first = given['words'], given['first'].cuda()
    flat = torch.tensor([piece for text in given['pieces'] for piece in text]).cuda()
    sizes = torch.tensor([len(text) for text in given['pieces']]).cuda()
    starts = torch.cumsum(sizes, 0) - sizes
    vectors = given['vectors'].cuda()
    taught = torch.full((len(sizes),), -1).cuda()
    taught[torch.tensor(list(given['taught']))] = torch.tensor(list(given['taught'].values())).cuda()
    pools = {}
    for kind in SHARES:
        pairs = [(a, b) for each, a, b in given['rows'] if each == kind and given['pieces'][a] and (b < 0 or given['pieces'][b])]
        if pairs:
            pools[kind] = torch.tensor(pairs).cuda()
    seen = torch.bincount(flat, minlength=len(words)).float()
    idf = torch.log(len(sizes) / (seen + 1)).clamp(min=.3)
    middle = first.mean(0)
    directions = torch.linalg.svd(first - middle, full_matrices=False)[2][:DIMS]
    table = torch.nn.Parameter(((first - middle) @ directions.T) * (idf / 8)[:, None])
    up = torch.nn.Linear(DIMS, 384).cuda()
    with torch.no_grad():
        up.weight.copy_(directions.T)
        up.bias.zero_()
    sharp_pairs = torch.nn.Parameter(torch.tensor(3.0).cuda())
    sharp_order = torch.nn.Parameter(torch.tensor(2.7).cuda())

    def bag(texts, drop=0.1):
        size = sizes[texts]
        owner = torch.repeat_interleave(torch.arange(len(texts)).cuda(), size)
        within = torch.arange(len(owner)).cuda() - torch.repeat_interleave(torch.cumsum(size, 0) - size, size)
        piece = flat[torch.repeat_interleave(starts[texts], size) + within]
        kept = torch.rand(len(piece)).cuda() > drop
        return F.normalize(torch.zeros(len(texts), DIMS).cuda().index_add(0, owner[kept], table[piece[kept]]), dim=1)

    steps = int(EPOCHS * 1_900_000 / BATCH)
    optimizer = torch.optim.Adam([{'params': [table], 'lr': 2e-3}, {'params': [*up.parameters(), sharp_pairs, sharp_order], 'lr': 1e-3}])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=[2e-3, 1e-3], total_steps=steps + 1, pct_start=.1)
    for step in range(steps):
        away, count, apart, students, targets = 0, 0, 0, [], []
        for kind, pool in pools.items():
            chosen = pool[torch.randint(len(pool), (int(BATCH * SHARES[kind]),)).cuda()]
            one, other = chosen[:, 0], chosen[:, 1]
            first_of, second_of = bag(one), bag(other) if kind != 'one' else None
            if second_of is not None:
                likeness = (first_of @ second_of.T) * sharp_pairs.exp().clamp(max=60)
                right = torch.arange(len(one)).cuda()
                loss = (F.cross_entropy(likeness, right) + F.cross_entropy(likeness.T, right)) / 2
                apart = apart + SHARES[kind] * (.3 if kind == 'reply' else 1) * loss
            # A translation points where the English text points.
            for student, text in [(first_of, one)] + ([(second_of, one if kind.startswith('en-') else other)] if second_of is not None else []):
                known = taught[text] >= 0
                target = vectors[taught[text][known]].float()
                away, count = away + (1 - F.cosine_similarity(up(student[known]), target)).sum(), count + int(known.sum())
                students.append(student[known])
                targets.append(target)
        student, target = torch.cat(students), torch.cat(targets)
        some = torch.randperm(len(student)).cuda()[:4_096]
        student, target = student[some], target[some]
        itself = torch.eye(len(some), dtype=torch.bool).cuda()
        asked = F.softmax(((target @ target.T) * 20).masked_fill(itself, -1e4), 1)
        given_order = F.log_softmax(((student @ student.T) * sharp_order.exp().clamp(max=40)).masked_fill(itself, -1e4), 1)
        order = F.kl_div(given_order, asked, reduction='batchmean')
        optimizer.zero_grad(set_to_none=True)
        (away / max(1, count) + .3 * apart + order).backward()
        optimizer.step()
        schedule.step()
        if step % 200 == 0:
            print(step, steps, float(away) / max(1, count), float(apart), float(order), flush=True)
    with torch.no_grad():
        # Turned so that the first numbers carry most: the rest is left out.
        texts = torch.randperm(len(sizes))[:200_000].cuda()
        sample = bag(texts[sizes[texts] > 0], 0)
        turned = table @ torch.linalg.eigh(sample.T @ sample)[1].flip(1)[:, :KEPT_DIMS]
        write(out, words, turned.cpu().numpy())


def write(out, words, table):
    import numpy as np
    scale = np.abs(table).max(1).clip(1e-8).astype(np.float16)
    numbers = np.rint(table / scale[:, None].astype(np.float32) * 7).clip(-7, 7).astype(np.int8)
    packed = (numbers[:, ::2] & 15) | ((numbers[:, 1::2] & 15) << 4)
    with open(out, 'wb') as file:
        file.write(b'MNG1' + struct.pack('<II', *table.shape))
        file.write(scale.tobytes())
        file.write(packed.astype(np.uint8).tobytes())
        file.write('\n'.join(words).encode())


if __name__ == '__main__':
    if sys.argv[1:2] == ['prepare'] and len(sys.argv) == 3:
        prepare(Path(sys.argv[2]))
    elif sys.argv[1:2] == ['train'] and len(sys.argv) == 4:
        train(Path(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(__doc__)
