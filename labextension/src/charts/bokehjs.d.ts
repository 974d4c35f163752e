// The prebuilt bundle has no types of its own: bokeh.ts says what we use of it.
declare module '@bokeh/bokehjs/build/js/bokeh.esm.min.js' {
  const bokeh: unknown;
  export default bokeh;
}
