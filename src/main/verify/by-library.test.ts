import { expect, it } from 'vitest';
import { flipsOver, saidByLibraries } from './by-library.fixture.ts';
import { load, specimen } from './load.fixture.ts';

const said = saidByLibraries();

/** Of each kind of structure one: heads, trees of flatbuffers, what leads to values, tables of codes. All others: `npm run bench -- corpus`. */
it.each([
  'arrays/numpy-2.4.6--fortran.npy',
  'arrays/numpy-2.4.6--titles.npy',
  'arrays/safetensors-0.8.0--plain.safetensors',
  'columns/pyarrow-26.0.1--flat.arrow',
  'columns/pyarrow-26.0.1--flat.arrows',
  'columns/polars-2.1.0--streamed.parquet',
  'columns/duckdb-2.0.0--snappy.parquet',
  'columns/pyarrow-26.0.1--lz4.feather',
  'columns/pyarrow-26.0.1--nested.arrow',
  'columns/pyarrow-26.0.1--zstd.feather',
  'columns/pyarrow-26.0.1--shared.arrow',
  'columns/pyarrow-26.0.1--default.parquet',
  'columns/pyarrow-26.0.1--nested.parquet',
  'columns/pyarrow-26.0.1--pages-2.parquet',
  'columns/pyarrow-1.0.1--empty.arrows',
  'gguf/gguf-0.19.0--model.gguf',
  'hdf5/h5py-3.16.0--default.h5',
  'hdf5/h5py-3.16.0--latest.h5',
  'hdf5/h5py-3.16.0--many.hdf5',
  'hdf5/keras-3.15.1--model.h5',
  'hdf5/keras-3.15.1--model.weights.h5',
  'images/pillow-12.3.0--colour.jpg',
  'images/pillow-12.3.0--moving.gif',
  'images/pillow-12.3.0--gray.jpg',
  'images/pillow-12.3.0--lossless.webp',
  'images/pillow-12.3.0--lossy.webp',
  'onnx/onnx-1.23.2--branch.onnx',
  'pickle/numpy-2.4.6--arrays-4.pkl',
  'pickle/numpy-2.4.6--arrays-5.pkl',
  'pickle/numpy-2.4.6--objects.pkl',
  'texts/PyYAML-6.0.3--hparams.yaml',
  'sqlite/sqlite-3.40.1--small-pages.sqlite',
  'sqlite/sqlite-3.40.1--utf-16.sqlite',
  'sqlite/sqlite-3.40.1--vacuum.db3',
  'torch/torch-2.15.0--room-for-data.pt',
  'zip/numpy-2.4.6--plain.npz',
])('all that the library refuses is found: %s', async (path) => {
  const missed: number[] = [];
  let refused = 0;
  for (const { at, bytes, library } of flipsOver(specimen(path), said.get(path))) {
    if (library !== 'refuses') continue;
    refused += 1;
    if (typeof (await load(path, bytes)) !== 'string') missed.push(at);
  }
  expect(refused).toBeGreaterThan(0);
  expect(missed).toEqual([]);
});
