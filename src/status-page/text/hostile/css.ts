/** Custom CSS that attacks, hides or breaks, with the output that is harmless and a part of the problem that is reported. */
export interface HostileCss {
  name: string;
  css: string;
  /** Output that is harmless. */
  output: string;
  /** Part of one of its problems. */
  problem: string;
}

const NOT = ':not(.state,.state *,.grp,.grp *,.svc,.svc *,.legend,.legend *)';

export const HOSTILE_CSS: readonly HostileCss[] = [
  {
    name: 'import',
    css: '@import url(https://evil.test/a.css); h2{color:red}',
    output: `.page h2${NOT}{color:red}\n`,
    problem: '@import is not supported',
  },
  {
    name: 'import with an escape',
    css: String.raw`@\69mport "https://evil.test/a.css";`,
    output: '',
    problem: '@rules of that name is not supported',
  },
  {
    name: 'charset and namespace',
    css: '@charset "utf-7"; @namespace svg url(https://evil.test/);',
    output: '',
    problem: '@namespace is not supported',
  },
  {
    name: 'background image',
    css: 'h2{background:url(https://evil.test/a.png)}',
    output: '',
    problem: 'background takes no address',
  },
  {
    name: 'quoted address',
    css: 'h2{background-image:url("//evil.test/a.png")}',
    output: '',
    problem: 'background-image takes no address',
  },
  {
    name: 'address with an escape',
    css: String.raw`h2{background:u\72l(https://evil.test/a.png)}`,
    output: '',
    problem: 'background has a value that cannot be read',
  },
  {
    name: 'function with an escape',
    css: String.raw`h2{background:\69mage-set("https://evil.test/a.png" 1x)}`,
    output: '',
    problem: 'escape',
  },
  {
    name: 'image-set',
    css: 'h2{background:image-set("https://evil.test/a.png" 1x)}',
    output: '',
    problem: 'takes no image-set()',
  },
  {
    name: 'cross-fade',
    css: 'h2{background:cross-fade(url(https://evil.test/a),red)}',
    output: '',
    problem: 'takes no cross-fade()',
  },
  {
    name: 'data address',
    css: 'h2{background:url(data:image/svg+xml;base64,PHN2Zy8+)}',
    output: '',
    problem: 'takes no address',
  },
  {
    name: 'src()',
    css: 'h2{background:src("https://evil.test/a.png")}',
    output: '',
    problem: 'takes no src()',
  },
  {
    name: 'address in a token',
    css: '.page{--bg:url(https://evil.test/a)}',
    output: '',
    problem: '--bg takes no address',
  },
  {
    name: 'address in a fallback',
    css: 'h2{color:var(--text, url(https://evil.test/a))}',
    output: '',
    problem: 'var() with a name only',
  },
  {
    name: 'own custom property',
    css: '.page{--x:url(https://evil.test/a)} h2{background:var(--x)}',
    output: `.page h2${NOT}{background:var(--x)}\n`,
    problem: 'the property --x is not supported',
  },
  {
    name: 'font face',
    css: '@font-face{font-family:A;src:url(https://evil.test/a.woff2)}',
    output: '',
    problem: '@font-face is not supported',
  },
  {
    name: 'font name with an address',
    css: 'h2{font-family:"url(https://evil.test/a)"}',
    output: '',
    problem: 'takes no such text',
  },
  {
    name: 'cursor',
    css: 'h2{cursor:url(https://evil.test/a.cur),auto}',
    output: '',
    problem: 'the property cursor is not supported',
  },
  {
    name: 'list style',
    css: 'li{list-style:url(https://evil.test/a.png)}',
    output: '',
    problem: 'the property list-style is not supported',
  },
  {
    name: 'filter',
    css: 'h2{filter:url(https://evil.test/a.svg#b)}',
    output: '',
    problem: 'the property filter is not supported',
  },
  {
    name: 'expression',
    css: 'h2{color:expression(alert(1))}',
    output: '',
    problem: 'takes no expression()',
  },
  {
    name: 'binding',
    css: 'h2{-moz-binding:url(https://evil.test/a.xml#b);behavior:url(a.htc)}',
    output: '',
    problem: 'the property -moz-binding is not supported',
  },
  {
    name: 'property with an escape',
    css: String.raw`h2{p\6fsition:fixed}`,
    output: '',
    problem: 'a property has a name that is not supported',
  },
  {
    name: 'end of the element',
    css: 'h2{color:red}</style><script>alert(1)</script>',
    output: `.page h2${NOT}{color:red}\n`,
    problem: 'cannot be read',
  },
  {
    name: 'end of the element in a string',
    css: 'h2{font-family:"</style><script>alert(1)</script>"}',
    output: '',
    problem: 'takes no such text',
  },
  {
    name: 'comment of markup',
    css: '<!-- h2{color:red} -->',
    output: `.page h2${NOT}{color:red}\n`,
    problem: 'only rules and @media',
  },
  {
    name: 'attribute selector that leaks',
    css: 'input[value^="a"]{color:red}',
    output: '',
    problem: 'selectors of attributes are not supported',
  },
  { name: 'attr()', css: 'h2{color:attr(data-x)}', output: '', problem: 'takes no attr()' },
  {
    name: 'text put into the page',
    css: '.state::after{content:"All services are up"}',
    output: '',
    problem: 'the selector ::after is not supported',
  },
  {
    name: 'hidden state',
    css: '.state{display:none;visibility:hidden;opacity:0}',
    output: '',
    problem: 'the property display is not supported',
  },
  {
    name: 'state moved away',
    css: '.state{position:absolute;left:-9999px;transform:scale(0)}',
    output: '',
    problem: 'the property position is not supported',
  },
  {
    name: 'state clipped',
    css: '.state{clip-path:inset(50%);height:0;overflow:hidden}',
    output: '',
    problem: 'the property clip-path is not supported',
  },
  {
    name: 'state out of the window',
    css: '.state{text-indent:-999px;margin-left:-9999px}',
    output: '',
    problem: 'margin-left takes lengths from 0px to 96px',
  },
  {
    name: 'state too small to read',
    css: 'body{font-size:1px;line-height:0}',
    output: '',
    problem: 'font-size takes lengths from 12px to 64px',
  },
  {
    name: 'sizes that multiply',
    css: '*{font-size:70%}',
    output: '',
    problem: 'font-size takes lengths in px or rem',
  },
  {
    name: 'size by a computation',
    css: 'body{font-size:calc(1px * 0.1)}',
    output: '',
    problem: 'font-size takes no calc()',
  },
  {
    name: 'text without color',
    css: 'body{color:transparent}',
    output: '',
    problem: 'color needs an opaque color',
  },
  {
    name: 'text with little color',
    css: 'body{color:rgb(0 0 0 / 1%)} p{color:#0001} li{color:rgba(0,0,0,0)} a{color:color-mix(in srgb,red,transparent)}',
    output: '',
    problem: 'color needs an opaque color',
  },
  {
    name: 'shadow over the page',
    css: 'h2{box-shadow:0 0 0 9999px #fff}',
    output: '',
    problem: 'box-shadow takes lengths from -40px to 40px',
  },
  {
    name: 'colors of statuses',
    css: ':root{--down-fill:green;--down-text:green;--none-fill:green}',
    output: '',
    problem: 'the property --down-fill is not supported',
  },
  {
    name: 'important',
    css: 'h2{color:red!important}',
    output: '',
    problem: '!important is not supported',
  },
  {
    name: 'outside of the page',
    css: 'html ~ div{color:red} body + p{color:red}',
    output: '',
    problem: 'reaches beyond the page',
  },
  {
    name: 'selectors with functions',
    css: ':is(.state),:has(.down),:not(.up){color:red}',
    output: '',
    problem: 'the selector :is is not supported',
  },
  {
    name: 'selector with an escape',
    css: String.raw`.\73 tate{color:red}`,
    output: '',
    problem: 'a selector has a name that is not supported',
  },
  {
    name: 'shadow host',
    css: ':host{color:red} ::slotted(p){color:red}',
    output: '',
    problem: 'the selector :host is not supported',
  },
  {
    name: 'nesting',
    css: 'h2{color:red;& .state{color:blue}}',
    output: `.page h2${NOT}{color:red}\n`,
    problem: 'rules in rules are not supported',
  },
  {
    name: 'layers and scopes',
    css: '@layer a{h2{color:red}} @scope (.a){h2{color:red}} @supports (color:red){h2{color:red}} @container (width>1px){h2{color:red}}',
    output: '',
    problem: '@layer is not supported',
  },
  {
    name: 'animation',
    css: '@keyframes a{to{opacity:0}} .state{animation:a 1s forwards}',
    output: '',
    problem: '@keyframes is not supported',
  },
  {
    name: 'custom property by rule',
    css: '@property --bg{syntax:"*";inherits:true;initial-value:red}',
    output: '',
    problem: '@property is not supported',
  },
  {
    name: 'unclosed rule',
    css: 'h2{color:red',
    output: `.page h2${NOT}{color:red}\n`,
    problem: '',
  },
  { name: 'unclosed string', css: 'h2{font-family:"a\n}', output: '', problem: 'font-family' },
  {
    name: 'unclosed comment',
    css: 'h2{color:red}/* p{color:blue}',
    output: `.page h2${NOT}{color:red}\n`,
    problem: '',
  },
  { name: 'stray braces', css: '}}h2{color:red}', output: '', problem: 'cannot be read' },
  {
    name: 'media of addresses',
    css: '@media (min-width:1px) and (a:url(//evil.test)){h2{color:red}}',
    output: '',
    problem: '@media takes',
  },
  {
    name: 'media in media',
    css: '@media print{@media print{h2{color:red}}}',
    output: '',
    problem: '@media is not supported here',
  },
  {
    name: 'null characters',
    css: 'h2{color:red;back\u0000ground:url(https://evil.test/)}',
    output: `.page h2${NOT}{color:red}\n`,
    problem: 'cannot be read',
  },
  {
    name: 'names of prototypes',
    css: 'h2{constructor:red;__proto__:red} @media (constructor){p{color:red}}',
    output: '',
    problem: 'the property constructor is not supported',
  },
  {
    name: 'functions nested deeply',
    css: `h2{color:${'lab('.repeat(4_000)}}`,
    output: '',
    problem: '',
  },
  { name: 'nothing but brackets', css: '('.repeat(32_000), output: '', problem: 'cannot be read' },
  {
    name: 'nothing but errors',
    css: `h2{${'!;'.repeat(15_000)}}`,
    output: '',
    problem: 'cannot be read',
  },
  {
    name: 'a megabyte',
    css: ' '.repeat(1_048_576),
    output: '',
    problem: 'at most 32768 characters',
  },
];
