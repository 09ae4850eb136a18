// What counts as a colour written out, for the style sheets and for the components alike.

const HEX = String.raw`#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b`;
// What starts from a token, `oklch(from var(--accent) …)`, changes with the theme.
const FUNCTION = String.raw`\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\((?!\s*(?:from\b|var\())[^)]*\)?`;
const WRITTEN_OUT = new RegExp(`${HEX}|${FUNCTION}`, 'gi');

/**
 * The colours in a text that are written as numbers.
 * @param {string} text
 * @returns {string[]}
 */
export const findColours = (text) => text.match(WRITTEN_OUT) ?? [];

// CSS Color 4, section 6.1; not `transparent` and `currentColor`, which hold in every theme.
const NAMES =
  'aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood ' +
  'cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgr[ae]y ' +
  'darkgreen darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue ' +
  'darkslategr[ae]y darkturquoise darkviolet deeppink deepskyblue dimgr[ae]y dodgerblue firebrick floralwhite forestgreen ' +
  'fuchsia gainsboro ghostwhite gold goldenrod gr[ae]y green greenyellow honeydew hotpink indianred indigo ivory khaki ' +
  'lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgr[ae]y ' +
  'lightgreen lightpink lightsalmon lightseagreen lightskyblue lightslategr[ae]y lightsteelblue lightyellow lime ' +
  'limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue ' +
  'mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace ' +
  'olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru ' +
  'pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell ' +
  'sienna silver skyblue slateblue slategr[ae]y snow springgreen steelblue tan teal thistle tomato turquoise violet wheat ' +
  'white whitesmoke yellow yellowgreen';

/** A colour's name as a whole word; not as a part of `--chart-red` or of `red-border`. */
export const NAMED_COLOUR = new RegExp(
  `(?<![-\\w])(?:${NAMES.replaceAll(' ', '|')})(?![-\\w])`,
  'gi',
);
