/**
 * All that a machine may call. Each runs as the owner of the tables, knows who asks by the login, and looks up what
 * they may do. A new shape is a new function beside the old one.
 */

const AS_OWNER = 'security definer set search_path = pg_catalog, pg_temp'

/** A session that began before a space was moved writes and reads nothing here any more. */
const MOVED = `if elsewhere is not null then
    raise exception 'this space was moved to another database' using errcode = '55000', detail = 'moved';
  end if;`

/**
 * Begins every connection. Says which spaces there are and how far they and this machine are. With `fence` it counts
 * this machine's batches up under their locks: a batch of an earlier session that still hangs on the server is either
 * waited for here, or refused when it comes. Finds out whether the server lost something that this machine knows of:
 * then it compares from the start, and everybody does, which is what a new epoch says. That is only a machine's word:
 * for everybody it counts once in a life of the server, since who restores a copy begins another.
 */
const HELLO = `
create or replace function hub.hello_1(told jsonb) returns jsonb
language plpgsql ${AS_OWNER} as $f$
declare
  who int := hub.me();
  mine int;
  lost int[] := '{}';
  is_read_only boolean := current_setting('transaction_read_only')::boolean;
begin
  if who is null then
    if exists (select from hub.machine m where m.login = session_user) then
      raise exception 'this machine was revoked' using errcode = '28000', detail = 'revoked';
    end if;
    raise exception 'this login belongs to no machine of the hub' using errcode = '28000', detail = 'unknown';
  end if;
  select m.key into mine from hub.machine m where m.login = session_user;
  if not is_read_only then
    update hub.machine m set seen = now(), version = left(told->>'version', 50), label = coalesce(left(told->>'label', 100), m.label)
      where m.key = mine;
    -- An own space is sealed by its owner's first machine, once: whoever made the space does not know the phrase.
    update hub.space s set seal = t.value from jsonb_each(coalesce(told->'seals', '{}')) t
      where s.id = t.key::int and s.kind = 'own' and s.owner = who and s.seal is null and s.head = 0;
    -- It has a password of its own there now: the first one is of no use to anybody.
    update hub.entry e set password = null where e.machine = mine and told->'entered' ? e.home;
    insert into hub.progress (space, machine)
      select a.space, mine from hub.access a where a.person = who order by a.space on conflict do nothing;
    -- Locked in one order, whoever comes.
    perform 1 from hub.progress p where p.machine = mine order by p.space for update;
    -- Its head stays: a number that a machine says, however large, is not one that the next row has to follow.
    select coalesce(array_agg(s.id), '{}') into lost
      from hub.space s, jsonb_each(coalesce(told->'spaces', '{}')) t, hub.progress p, hub.access a
      where s.id = t.key::int and a.space = s.id and a.person = who and p.space = s.id and p.machine = mine
        and s.epoch = (t.value->>'epoch')::int
        and ((t.value->>'pushed')::bigint > p.pushed or (t.value->>'pulled')::bigint > s.head);
    update hub.space s set epoch = s.epoch + 1, life = hub.life() where s.id = any (lost) and s.life is distinct from hub.life();
    update hub.progress p set at = now(),
        pushed = p.pushed + case when (told->>'fence')::boolean then 1 else 0 end,
        pulled = coalesce((t.value->>'pulled')::bigint, p.pulled)
      from hub.progress old left join jsonb_each(coalesce(told->'spaces', '{}')) t on t.key::int = old.space
      where old.machine = mine and p.machine = mine and p.space = old.space;
  end if;
  return jsonb_build_object(
    'hub', (select id from hub.meta), 'version', (select version from hub.meta), 'readOnly', is_read_only,
    'functions', jsonb_build_object('hello', 1, 'push', 1, 'pull', 1, 'forget', 1),
    'homes', coalesce((select jsonb_object_agg(h.name, jsonb_build_object('address', h.address, 'hub', h.hub,
        'login', e.login, 'password', e.password))
      from hub.home h join hub.entry e on e.home = h.name and e.machine = mine
      where h.name in (select s.home from hub.access a join hub.space s on s.id = a.space where a.person = who)), '{}'),
    'person', who, 'machine', mine, 'name', (select name from hub.person where id = who),
    'spaces', coalesce((select jsonb_agg(jsonb_build_object(
      'id', s.id, 'name', s.name, 'kind', s.kind, 'head', s.head, 'epoch', s.epoch, 'answers', s.answers, 'seal', s.seal,
      'home', s.home, 'push', a.push, 'admin', a.admin, 'pushed', p.pushed, 'lost', s.id = any (lost)) order by s.id)
      from hub.access a join hub.space s on s.id = a.space left join hub.progress p on p.space = s.id and p.machine = mine
      where a.person = who), '[]'),
    'people', coalesce((select jsonb_agg(jsonb_build_object('id', h.id, 'name', h.name,
        'spaces', (select jsonb_agg(b.space order by b.space) from hub.access b where b.person = h.id
          and b.space in (select a.space from hub.access a where a.person = who)),
        'machines', (select coalesce(jsonb_agg(jsonb_build_object('key', m.key, 'label', m.label, 'revoked', m.revoked,
            'seen', m.seen, 'version', m.version, 'pulled', (select jsonb_object_agg(p.space, p.pulled) from hub.progress p
              where p.machine = m.key and p.space in (select a.space from hub.access a where a.person = who))) order by m.key), '[]')
          from hub.machine m where m.person = h.id)) order by h.id)
      from hub.person h where h.id = who or h.id in (select b.person from hub.access a join hub.access b on b.space = a.space
        where a.person = who)), '[]'));
end $f$;
`

/**
 * One batch of one machine into one space: all of it or nothing, once. The number of a row is taken under the lock
 * of its space, so that the order of the numbers is the order of the commits. Arrays instead of rows, with all
 * bodies in one value; and a plan made for this batch: a cached one joins by nested loops. That an id is one of the batch is
 * said twice, since the server plans for the ids that it sees: in a table that was not analyzed yet, a join by the id
 * alone reads every chat of the space for each batch. Format 0 of a message: it
 * is no longer there. Format 0 of a chat: nothing is said of it itself, it is only named.
 */
const PUSH = `
create or replace function hub.push_1(in_batch bigint, in_space int,
  c_id text[], c_hash bigint[], c_format smallint[], c_length int[],
  m_chat int[], m_id text[], m_hash bigint[], m_format smallint[], m_length int[], bytes bytea)
returns table (head bigint, base bigint, written int, swallowed int)
language plpgsql ${AS_OWNER} set plan_cache_mode = force_custom_plan as $f$
#variable_conflict use_column
declare
  who int := hub.me();
  mine int;
  base bigint;
  elsewhere text;
  began bigint;
  chats int;
  messages int := 0;
  taken int;
  known int;
  m_start bigint;
begin
  if who is null then raise exception 'this machine was revoked' using errcode = '28000', detail = 'revoked'; end if;
  if not exists (select from hub.access a where a.person = who and a.space = in_space and a.push) then
    raise exception 'this machine may not push to this space' using errcode = '42501', detail = 'push';
  end if;
  if cardinality(m_id) > 10000 or cardinality(c_id) > 10000 then
    raise exception 'too many at once' using errcode = '54000';
  end if;
  select m.key into mine from hub.machine m where m.login = session_user;
  update hub.progress p set pushed = in_batch, at = now()
    where p.space = in_space and p.machine = mine and p.pushed = in_batch - 1;
  if not found then raise exception 'an old session' using errcode = '55000', detail = 'fence'; end if;
  select s.head, s.home into base, elsewhere from hub.space s where s.id = in_space for no key update;
  ${MOVED}
  began := base;

  insert into hub.chat as c (space, owner, machine, id, seq, hash, format, header)
    select in_space, who, mine, t.id, base + t.n, t.hash, t.format, substring(bytes from (t.upto - t.len)::int + 1 for t.len)
    from (select *, sum(u.len) over (order by u.n) as upto
          from unnest(c_id, c_hash, c_format, c_length) with ordinality as u(id, hash, format, len, n)) t
    where t.format <> 0 and not exists (select from hub.gone g where g.space = in_space and g.owner = who and g.id = t.id and g.id = any (c_id))
    on conflict (space, owner, id) do update
      set seq = excluded.seq, hash = excluded.hash, format = excluded.format, header = excluded.header, machine = excluded.machine
      where c.hash <> excluded.hash;
  get diagnostics chats = row_count;
  base := base + cardinality(c_id);

  if cardinality(m_id) > 0 then
    select coalesce(sum(l), 0) into m_start from unnest(c_length) l;
    insert into hub.message as m (space, chat, id, seq, hash, format, body)
      select in_space, k.key, t.id, base + t.n, t.hash, t.format, substring(bytes from (m_start + t.upto - t.len)::int + 1 for t.len)
      from (select *, sum(u.len) over (order by u.n) as upto
            from unnest(m_chat, m_id, m_hash, m_format, m_length) with ordinality as u(c, id, hash, format, len, n)) t
      join (select (o.n - 1)::int as c, k.key from unnest(c_id) with ordinality as o(id, n)
            join hub.chat k on k.space = in_space and k.owner = who and k.id = o.id and k.id = any (c_id)) k on k.c = t.c
      where t.format <> 0
      on conflict (space, chat, id) do update
        set seq = excluded.seq, hash = excluded.hash, format = excluded.format, body = excluded.body
        where m.hash <> excluded.hash;
    get diagnostics messages = row_count;
  end if;
  if 0 = any (m_format) then
    update hub.message m set seq = base + t.n, hash = t.hash, format = 0, body = substring(bytes from (m_start + t.upto - t.len)::int + 1 for t.len)
      from (select *, sum(u.len) over (order by u.n) as upto
            from unnest(m_chat, m_id, m_hash, m_format, m_length) with ordinality as u(c, id, hash, format, len, n)) t
      join (select (o.n - 1)::int as c, k.key from unnest(c_id) with ordinality as o(id, n)
            join hub.chat k on k.space = in_space and k.owner = who and k.id = o.id and k.id = any (c_id)) k on k.c = t.c
      where t.format = 0 and m.space = in_space and m.chat = k.key and m.id = t.id and m.format <> 0;
    get diagnostics taken = row_count;
    messages := messages + taken;
  end if;

  select count(*) into known from unnest(c_id) i join hub.gone g on g.space = in_space and g.owner = who and g.id = i and g.id = any (c_id);
  if chats + messages > 0 then
    update hub.space s set head = base + cardinality(m_id) where s.id = in_space returning s.head into base;
    perform pg_notify('recollect_hub', in_space || ' ' || base);
  else
    select s.head into base from hub.space s where s.id = in_space;
  end if;
  return query select base, began, messages, known;
end $f$;
`

/**
 * A page of what has a number above the given one. Its first row ('p') says up to which number it goes and how far the
 * space is. Headers ('c') come with the messages ('m') that need them, wherever they have moved to; 'g' is gone. Rows are
 * taken in the order of the index: by a bitmap, which a server prefers before a table was analyzed, all that is left of
 * the space would be read and sorted for each page.
 */
const PULL = `
create or replace function hub.pull_1(in_space int, in_after bigint, most int)
returns table (kind "char", seq bigint, chat bigint, id text, owner int, machine int, format smallint, body bytea)
language plpgsql stable ${AS_OWNER} set plan_cache_mode = force_custom_plan set enable_bitmapscan = off as $f$
#variable_conflict use_column
declare
  last bigint;
  elsewhere text;
  bound bigint;
  keys bigint[];
begin
  if not exists (select from hub.access a where a.person = hub.me() and a.space = in_space) then
    raise exception 'this machine may not read this space' using errcode = '42501', detail = 'read';
  end if;
  most := least(greatest(most, 1), 10000);
  select s.head, s.home into last, elsewhere from hub.space s where s.id = in_space;
  ${MOVED}
  -- Up to so many rows, and some 8 MB.
  select max(t.seq) into bound from (
    select u.seq, sum(u.size) over (order by u.seq) - u.size as before
    from (
      (select m.seq, octet_length(m.body)::bigint as size from hub.message m where m.space = in_space and m.seq > in_after order by m.seq limit most)
      union all
      (select c.seq, octet_length(c.header) from hub.chat c where c.space = in_space and c.seq > in_after order by c.seq limit most)
      union all
      (select g.seq, 0 from hub.gone g where g.space = in_space and g.seq > in_after order by g.seq limit most)
      order by seq limit most
    ) u
  ) t where t.before < 8388608;
  if bound is null then
    return query select 'p'::"char", greatest(last, in_after), last, null::text, null::int, null::int, null::smallint, null::bytea;
    return;
  end if;
  return query select 'p'::"char", bound, last, null::text, null::int, null::int, null::smallint, null::bytea;
  return query select 'g'::"char", g.seq, null::bigint, g.id, g.owner, null::int, g.format, g.note
    from hub.gone g where g.space = in_space and g.seq > in_after and g.seq <= bound;
  -- First which, then they: a plan for so many keys takes the index, where one for "or", or for a join, would look at every
  -- chat of the space for each page.
  select array_agg(k.key) into keys from (
    select n.key from hub.chat n where n.space = in_space and n.seq > in_after and n.seq <= bound
    union select m.chat from hub.message m where m.space = in_space and m.seq > in_after and m.seq <= bound) k;
  return query select 'c'::"char", c.seq, c.key, c.id, c.owner, c.machine, c.format, c.header
    from hub.chat c where c.space = in_space and c.key = any (keys);
  return query select 'm'::"char", m.seq, m.chat, m.id, null::int, null::int, m.format, m.body
    from hub.message m where m.space = in_space and m.seq > in_after and m.seq <= bound order by m.seq;
end $f$;
`

/**
 * Removes chats of one's own, or as an admin of the space somebody's, and leaves their ids so that nobody tells them
 * again; says which there were. 'again' leaves the id where there is no such chat too: after a server lost something.
 * 'back' lifts what one has put there oneself: the chat may be pushed again.
 */
const FORGET = `
create or replace function hub.forget_1(in_space int, in_owner int, why text,
  in_ids text[], in_format smallint[], in_length int[], bytes bytea)
returns table (head bigint, id text)
language plpgsql ${AS_OWNER} as $f$
#variable_conflict use_column
declare
  who int := hub.me();
  base bigint;
  elsewhere text;
  there text[];
begin
  if who is null then raise exception 'this machine was revoked' using errcode = '28000', detail = 'revoked'; end if;
  in_owner := coalesce(in_owner, who);
  if why not in ('forgotten', 'again', 'back') or cardinality(in_ids) > 10000 then
    raise exception 'not understood' using errcode = '22023';
  end if;
  if not exists (select from hub.access a where a.person = who and a.space = in_space
      and (a.admin or (a.push and in_owner = who))) then
    raise exception 'only its owner or an admin of the space may remove a chat' using errcode = '42501', detail = 'forget';
  end if;
  select s.head, s.home into base, elsewhere from hub.space s where s.id = in_space for no key update;
  ${MOVED}
  if why = 'back' then
    return query with lifted as (
      delete from hub.gone g where g.space = in_space and g.owner = in_owner and g.by = who and g.id = any (in_ids) returning g.id)
    select base, l.id from lifted l;
    return;
  end if;
  select coalesce(array_agg(t.id), '{}') into there from unnest(in_ids) t(id) where why = 'again'
    or exists (select from hub.chat c where c.space = in_space and c.owner = in_owner and c.id = t.id);
  if cardinality(there) = 0 then return; end if;
  insert into hub.gone as g (space, owner, id, seq, by, format, note)
    select in_space, in_owner, t.id, base + t.n, who, t.format, substring(bytes from (t.upto - t.len)::int + 1 for t.len)
    from (select *, sum(u.len) over (order by u.n) as upto
          from unnest(in_ids, in_format, in_length) with ordinality as u(id, format, len, n)) t
    where t.id = any (there)
    on conflict (space, owner, id) do update set seq = excluded.seq;
  with chats as (delete from hub.chat c where c.space = in_space and c.owner = in_owner and c.id = any (there) returning c.key)
  delete from hub.message m using chats where m.space = in_space and m.chat = chats.key;
  update hub.space s set head = base + cardinality(in_ids) where s.id = in_space returning s.head into base;
  perform pg_notify('recollect_hub', in_space || ' ' || base);
  return query select base, t from unnest(there) t;
end $f$;
`

export const FUNCTIONS = [HELLO, PUSH, PULL, FORGET].join('\n')
