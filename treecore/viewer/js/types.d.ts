// Types that several modules name, known in all of them, for the type checker alone: no browser asks
// for it. What one module declares for others is listed first.

type Frame = import("./app/frame.js").Frame;
type Way = import("./app/frame.js").Way;
type Flows = import("./app/stories.js").Flows;
type Theme = import("./app/theme.js").Theme;
type TipPlace = import("./app/tooltip.js").TipPlace;
type Story = import("./app/tooltip.js").Story;
type StoryRow = import("./app/tooltip.js").StoryRow;
type Message<Meta = Record<string, unknown>> = import("./app/wire.js").Message<Meta>;
type ToPixels = import("./charts/plot.js").ToPixels;
type Drawn = import("./draw/drawpoints.js").Drawn;
type Learning = import("./learn/learning.js").Learning;
type Pieces = import("./map/geometry.js").Pieces;
type Lens<F extends Frame | null = Frame> = import("./map/lenses.js").Lens<F>;
type Scale = import("./map/lenses.js").Scale;
type Mark = import("./map/marks.js").Mark;
type PlanNode = import("./tree/layout.js").PlanNode;
type Plan = import("./tree/layout.js").Plan;
type Wish = import("./tree/treewindow.js").Wish;

/** A path that a pen fills or strokes. */
type Path = Pick<Path2D, "moveTo" | "lineTo" | "quadraticCurveTo" | "closePath"> & {
  arc(x: number, y: number, r: number, from: number, to: number, counter?: boolean): void;
  rect(x: number, y: number, w: number, h: number): void;
  roundRect(x: number, y: number, w: number, h: number, radius: number): void;
};

/** What the drawings use of a canvas's context, so that they can be written down as SVG as well. */
interface Context2D extends Path {
  fillStyle: string | CanvasGradient | CanvasPattern;
  strokeStyle: string | CanvasGradient | CanvasPattern;
  lineWidth: number;
  globalAlpha: number;
  font: string;
  lineCap: CanvasLineCap;
  lineJoin: CanvasLineJoin;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  imageSmoothingEnabled: boolean;
  /** Where shapes are written down: what they are written in. Nothing is copied as pixels there. */
  newPath?(): Path;
  save(): void;
  restore(): void;
  beginPath(): void;
  clip(): void;
  setLineDash(dash: number[]): void;
  fill(path?: Path): void;
  stroke(path?: Path): void;
  fillRect(x: number, y: number, w: number, h: number): void;
  strokeRect(x: number, y: number, w: number, h: number): void;
  fillText(text: string, x: number, y: number, most?: number): void;
  strokeText(text: string, x: number, y: number, most?: number): void;
  measureText(text: string): TextMetrics;
  drawImage(image: HTMLCanvasElement, x: number, y: number, w: number, h: number): void;
  createPattern(tile: HTMLCanvasElement, repeat: string): CanvasPattern | null;
}

/** x and y, of a point or of a step. */
type XY = [number, number];

/** The least and the most x, then y. */
type Box = [number, number, number, number];

/** Where a drawing lies on its canvas, in pixels. */
interface Plot {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** From units of the axes to pixels, and back. */
interface Scales {
  plot: Plot;
  x(value: number): number;
  y(value: number): number;
  backX(pixel: number): number;
  backY(pixel: number): number;
}

/** What Streamlit calls a component with. */
interface Mount {
  parentElement: ShadowRoot;
  data: unknown;
  setTriggerValue: Tell;
}

/** Tells the server of what the visitor did. */
type Tell = (name: string, value: unknown) => void;

/** The `meta` of a message about a run, see treecore/viewer/messages/message.py. Any of it may be missing. */
interface Meta {
  v?: number;
  run?: string;
  state?: string;
  message?: string;
  task?: "classification" | "regression";
  unit?: string;
  n_epochs?: number;
  epoch?: number;
  box?: Box;
  /** What the plane is, and what the regions on it are. */
  axes?: { x: string; y: string; note: string; regions: string; units?: string[] };
  /** Keeps the plane too little of the points for a slice to agree with them? */
  near?: boolean;
  classes?: string[];
  features?: string[];
  units?: string[]; // of the features, as app/units.js writes them; none where all are numbers
  /** Splits on a set of levels: the column, its levels that are asked for, whether they go right. */
  sets?: Record<string, [string, string[], boolean]>;
  /** Rows and columns of an image. */
  image?: XY | null;
  glossary?: Record<string, string>;
  frames?: FrameEntry[];
  /** A frame's number, and the point through which its regions are a slice now. */
  anew?: XY;
  /** Points on the map, and rows in all. */
  shown?: XY;
  rows?: number;
  nu?: number;
  staircase?: boolean;
  /** Are leaves linear, so that what is told of a leaf is its mean? */
  mean?: boolean;
  range?: XY;
  target?: string;
  /** Points of the curves that stay; those of the message follow them. */
  curves?: number;
  /** The tree that weights and counts are of: its number, when it was, whether the run rested. */
  detail?: [number, number, boolean];
  /** Of the state and what is said of it. */
  mark?: number;
  /** Is it a tree without a run, a map and points? */
  alone?: boolean;
  /** What is pinned for a step in slow motion; where it can be had. */
  slow?: "point" | "split";
  /** A step in slow motion: its number, what it marks, the splits it has turned. */
  step?: { n: number; marks: Array<Partial<Mark>>; turned: number[] };
  /** Which rows are counted at splits and leaves, where not those of training. */
  part?: string;
  /** The leaf whose path the page marks, -1 for none. */
  marked?: number;
  commands?: { playing: boolean; next: number };
  /** Its name and how far it is, where it is one of several. */
  heading?: string[];
}

/** What the page says to a view once; see ui/live/views.py. */
interface Placed {
  /** Of its channel, and its name there. */
  wire: string;
  view: string;
  /**
   * The state of the run for which the page was drawn, of one run at rest also which tree; for
   * another one it is drawn anew.
   */
  drawn?: string;
  lens?: Lenses & { link?: number };
}

/** What `meta` says of one recorded tree. */
interface FrameEntry {
  n: number;
  t: number;
  epoch: number;
  used?: number;
  /** The point through which its regions are a slice, -1 for the mean. */
  sliced?: number;
}

/** The points on the map. */
interface Points {
  xy: Float32Array;
  label: Uint8Array;
  held: Uint8Array | null;
  target: Float32Array | null;
  /** How often a hand has moved them. */
  moved?: number;
}

/** What the colours of the map mean, and what lies over them. */
interface Lenses {
  region: string;
  point: string;
  side: string;
  margins: boolean;
  flips: boolean;
}

/** What is told of a mark, and where. */
interface Tip {
  story: () => Story | null;
  at: TipPlace;
}

/** What is on the screen: what pictures are painted from, and stories told of. */
interface Scene {
  meta: Meta;
  points: Points;
  /** The tree that is shown, and the one a pass before it. */
  frame: Frame | null;
  earlier: Frame | null;
  theme: Theme;
  marks: import("./map/marks.js").Marks;
  lens: Lenses;
}

/** A scene with a tree in it. */
type WithTree<S> = S & { frame: Frame };

/** A mounted view: what it shows, and what its panels may ask of it. */
type View = import("./app/main.js").LiveView;
