// A value of the page as JSON text (`contract: browser`, evaluate: the table of values).

(most => {
  const url = value => {
    const netloc = /^[a-z][-+.a-z0-9]*:\/\/([^/?#]*)/i.exec(value.href)?.[1] ?? '';
    return [value.protocol.slice(0, -1), netloc, value.pathname, '', value.search.slice(1), value.hash.slice(1)];
  };

  const date = value => {
    if (Number.isNaN(value.getTime())) return null;
    return value.toISOString().replace('T', ' ').replace(/(?:\.000|(\.\d{3}))Z$/, (_, fraction) => (fraction ? `${fraction}000` : '')) + '+00:00';
  };

  // What a value of a document is, also of another frame's. Of a frame of another origin nothing can be told.
  const reference = value => {
    try {
      if (value.window === value) return 'Window';
      const realm = value.defaultView ?? value.ownerDocument?.defaultView ?? globalThis;
      if (value instanceof realm.Document) return 'Document';
      return value instanceof realm.Node ? 'Node' : null;
    } catch {
      return null;
    }
  };

  const number = value => {
    if (!Number.isFinite(value)) return 'null';
    return Object.is(value, -0) ? '-0.0' : String(value);
  };

  let [length, path] = [0, new Set()];

  const put = text => {
    length += text.length;
    if (length > most) throw new RangeError('the result is too large');
    return text;
  };

  const inner = (value, list) => {
    if (path.has(value)) throw new TypeError('the result contains itself');
    path.add(value);
    const text = list();
    path.delete(value);
    return text;
  };

  const object = value => {
    const name = reference(value);
    if (name) return put(`"ref: <${name}>"`);
    if (value instanceof Error) return put(JSON.stringify(value.message));
    if (value instanceof Date) return put(JSON.stringify(date(value)));
    if (value instanceof URL) return text(url(value));
    if (value instanceof RegExp) return put(JSON.stringify(`/${value.source}/${value.flags}`));
    if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
      return inner(value, () => `[${Array.from(value, text).join(',')}]`);
    }
    const members = [];
    return inner(value, () => {
      for (const name of Object.keys(value)) {
        let member;
        try {
          member = value[name];
        } catch {
          continue;
        }
        members.push(`${put(JSON.stringify(name))}:${text(member)}`);
      }
      // What has nothing of its own may still say what it is, as a DOMRect does.
      if (!members.length && typeof value.toJSON === 'function') return text(value.toJSON());
      return `{${members.join(',')}}`;
    });
  };

  // Called with index and so on where it maps a list.
  const text = value => {
    switch (typeof value) {
      case 'string':
        return put(JSON.stringify(value));
      case 'number':
        return put(number(value));
      case 'bigint':
      case 'boolean':
        return put(String(value));
      case 'object':
        return value === null ? put('null') : object(value);
      default:
        return put('null');
    }
  };

  return text;
})
