import { LabIcon } from '@jupyterlab/ui-components';

/** A gauge, drawn for 16 pixels. */
const GAUGE = `
<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 16 16">
  <g class="jp-icon3" fill="#616161">
    <path d="M8 2.5a7 7 0 0 0-5.6 11.2.8.8 0 0 0 1.28-.96 5.4 5.4 0 1 1 8.64 0 .8.8 0 0 0 1.28.96A7 7 0 0 0 8 2.5z"/>
    <path d="M11.6 6.2 8.9 10.6a1.5 1.5 0 1 1-1.3-1.2z"/>
  </g>
</svg>
`;

/** Stands for the profiler: on its panel, command and buttons. */
export const gaugeIcon = new LabIcon({
  name: 'jupyter-mlprof:gauge',
  svgstr: GAUGE
});
