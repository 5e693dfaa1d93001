import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTextOf, withPreviewText } from '../../../../shared/channels/email/content/plain-text.ts';
import { anyCharacter } from '../../../support/any-character.ts';

describe('plainTextOf', () => {
  it.each([
    ['keeps text', 'Hello', 'Hello'],
    ['collapses white space', '  a\n\t b&nbsp; c  ', 'a b c'],
    ['separates paragraphs by a blank line', '<p>a</p>\n<p>b</p>', 'a\n\nb'],
    ['puts divisions on separate lines', '<div>a<div>b</div></div>c', 'a\nb\nc'],
    ['breaks lines', 'a<br>b<br/>c<br><br><br><br>d', 'a\nb\nc\n\nd'],
    ['keeps inline elements in the line', '<b>a</b><i>b</i> <u>c</u>', 'ab c'],
    ['spaces table cells', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['marks headings by blank lines', 'a<h1>b</h1>c', 'a\n\nb\n\nc'],
    ['draws rules', 'a<hr>b', 'a\n\n---\n\nb'],
    ['keeps the lines of preformatted text', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
    ['writes alternative texts', 'a<img src=x alt="Our &amp; logo">b<img>', 'a Our & logo b'],
    [
      'writes links with their URL',
      '<a href="https://a.example/x?a=1&amp;b=2">Shop</a>.',
      'Shop (https://a.example/x?a=1&b=2).',
    ],
    ['writes a URL once', '<a href="https://www.a.example/">a.example</a>', 'a.example'],
    [
      'writes the URL of a link without text',
      '<a href="https://a.example"><img src=x></a>',
      'https://a.example',
    ],
    [
      'writes mail and phone links plainly',
      '<a href="mailto:a@b.example?subject=x">Write</a> <a href=tel:+1>+1</a>',
      'Write (a@b.example) +1',
    ],
    [
      'omits links without a target',
      '<a href="#top">Up</a> <a href=" javascript:x()">Go</a> <a>no</a>',
      'Up Go no',
    ],
    [
      'ends a link at the next one',
      '<a href="https://a.example">a<a href="https://b.example">b',
      'a (https://a.example)b (https://b.example)',
    ],
    ['marks list items', '<ul><li>a</li><li><p>b</p></li></ul>c', '- a\n- b\n\nc'],
    ['numbers ordered lists', '<ol><li>a<li>b</ol>', '1. a\n2. b'],
    [
      'indents inner lists',
      '<ul><li>a<ol><li>x</li><li>y</li></ol></li><li>b</li></ul>',
      '- a\n  1. x\n  2. y\n- b',
    ],
    ['drops empty items', '<ul><li></li><li>a</li></ul>', '- a'],
    [
      'drops head, style and script',
      '<head><title>t</title><style>p{}</style></head><body>a<script>if (a<b) "</p>"</script>b',
      'ab',
    ],
    ['drops a head that nobody closed', '<head><meta><body>a', 'a'],
    ['drops comments and declarations', '<!doctype html><?xml?><!-- a > b --><![if !mso]>c<![endif]>', 'c'],
    [
      'shows content meant for all email programs but one',
      '<!--[if !mso]><!-->a<!--<![endif]--><!--[if mso]>b<![endif]-->',
      'a',
    ],
    [
      'drops what is hidden',
      '<div style="a:b; display : none"><div>x</div></div>a<span style=display:none>y</span>',
      'a',
    ],
    ['decodes every entity of HTML 5', '<p>&Zcaron; &Omega; &equals;</p>', 'Ž Ω ='],
    [
      'writes spaces of a link that do not break as its browser does',
      '<a href="https://x.org/a&nbsp;b">Next&nbsp;page</a>',
      'Next page (https://x.org/a%C2%A0b)',
    ],
    [
      'keeps spaces of a link',
      '<a href="https://x.org/My Report.pdf">Report</a>',
      'Report (https://x.org/My%20Report.pdf)',
    ],
    ['goes on after a comment that ends otherwise', 'a<!-- x --!>b', 'ab'],
    ['shows what follows an unclosed hidden paragraph', '<p style="display:none">x<div>shown</div>', 'shown'],
    ['shows what follows its parent', '<div><p style="display:none">x</div>shown', 'shown'],
    [
      'decodes entities',
      '&lt;b&gt; &amp;amp; &euro;&#8364;&#x20AC;&#128; &Auml;&copy; &quot;&#39;&hellip;',
      '<b> &amp; €€€€ Ä© "\'…',
    ],
    [
      'leaves unknown entities and bare ampersands',
      '&nosuch; a&b &copy=1 &#0; &#1114112;',
      '&nosuch; a&b &copy=1 \ufffd \ufffd',
    ],
    ['keeps less-than signs that start no tag', '1 < 2 <3', '1 < 2 <3'],
    [
      'keeps a ">" inside of an attribute',
      '<a title="a > b" href=https://a.example>x</a>',
      'x (https://a.example)',
    ],
    ['survives stray quotes', `<p don't>a</p>`, 'a'],
    ['drops an unfinished tag', 'a<b href="', 'a'],
    ['drops the padding of preheaders', 'Hi&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;&shy;&#65279; you', 'Hi you'],
    ['keeps joiners between letters and in emoji', 'می&zwnj;خواهم 👩&zwj;🚀', 'می\u200cخواهم 👩\u200d🚀'],
    ['is empty for nothing', ' <p> </p> ', ''],
  ])('%s', (_, html, text) => {
    expect(plainTextOf(html)).toBe(text);
  });

  it('converts a complete message to readable text', () => {
    const html = `<!DOCTYPE html><html><head><meta charset="utf-8"><style>td{color:red}</style></head><body>
      <div style="display:none;max-height:0">Preview</div>
      <table role="presentation"><tbody><tr><td><img src="logo.png" alt="The Shop"></td></tr>
      <tr><td><h1>Hello Ada,</h1><p>your order <b>#12</b> is on its way.</p>
      <ul><li>2 &times; Tea</li><li>1 &times; Cup</li></ul>
      <p><a class="button" href="https://shop.example/orders/12">Track it</a></p></td></tr></tbody></table>
      </body></html>`;
    expect(plainTextOf(html)).toBe(
      [
        'The Shop',
        '',
        'Hello Ada,',
        '',
        'your order #12 is on its way.',
        '',
        '- 2 × Tea',
        '- 1 × Cup',
        '',
        'Track it (https://shop.example/orders/12)',
      ].join('\n'),
    );
  });

  it('returns any escaped text unchanged and never a tag', () => {
    const words = fc.array(fc.stringMatching(/^[\p{L}\p{N}<>&"'=/!-]{1,12}$/u), { minLength: 1 });
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(' ');
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
        expect(plainTextOf(`<div><p>${escaped}</p></div>`)).toBe(text);
      }),
    );
  });

  it('starts at the margin with an item outside a list', () => {
    expect(plainTextOf('<ul><ul><li>a<li>b')).toBe('- a\n  - b');
  });

  it('never throws, trims, and keeps at most one blank line', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<li>',
      '<ul>',
      '</ul>',
      '<br>',
      ' ',
      'a',
      '<td>',
      '</a>',
      '<a href=tel:1>',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = plainTextOf(pieces.join(''));
        expect(text).toBe(text.trim());
        expect(text).not.toMatch(/\n{3}|[ \t]\n/);
      }),
      { numRuns: 500 },
    );
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (html) => void plainTextOf(html)));
  });
});

describe('withPreviewText', () => {
  it('puts the text first in the body, hidden and escaped', () => {
    const html = withPreviewText('<html><body class="a > b"><p>Hi</p></body></html>', '5 < 6 & "so"');
    expect(html).toMatch(
      /^<html><body class="a > b"><div style="display:none;[^"]*">5 &lt; 6 &amp; &quot;so&quot;(&#847;&zwnj;&nbsp;)+<\/div><p>Hi<\/p><\/body><\/html>$/,
    );
  });

  it.each([
    ['<p>Hi</p>', 0],
    ['<!-- <body> --><BODY>Hi', '<!-- <body> --><BODY>'.length],
    ['<html><head></head><p>Hi', '<html><head></head>'.length],
    ['<html><p>Hi', '<html>'.length],
    ['<script>"<body>"</script>Hi', 0],
  ])('finds the start of the body of %j', (html, at) => {
    const changed = withPreviewText(html, 'x');
    expect(changed.slice(0, at)).toBe(html.slice(0, at));
    expect(changed.slice(at)).toMatch(/^<div style="display:none/);
    expect(changed.endsWith(`</div>${html.slice(at)}`)).toBe(true);
  });

  it('changes nothing without a text', () => {
    expect(withPreviewText('<body>Hi', undefined)).toBe('<body>Hi');
    expect(withPreviewText('<body>Hi', '  ')).toBe('<body>Hi');
  });

  it('does not appear in the plain text', () => {
    expect(plainTextOf(withPreviewText('<body><p>Hi</p></body>', 'Preview'))).toBe('Hi');
  });
});
