"""Embeddings in this process: static tables, encoders in ONNX, and the folders they come from."""

import math
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.ai_router.local.embeddings import LocalEmbeddings, read_tensors
from app.ai_router.router import Providers, parse_embedding_model_name
from app.cli.checks import State, embedding
from app.platform.errors import ConfigurationError, PermanentProviderError, TransientProviderError
from app.platform.settings import Settings
from tiny_models import (
    pair_classifier,
    sentence_encoder,
    vocabulary,
    write_folder,
    write_safetensors,
)

WORDS = vocabulary("cold warm ice fire")
# Special tokens first, as in WORDS.
TABLE: NDArray[np.float32] = np.array(
    [[9, 9], [9, 9], [0, 0], [0, 0], [1, 0], [0, 1], [2, 0], [0, 2]], np.float32
)


@pytest.fixture
async def embeddings() -> AsyncIterator[LocalEmbeddings]:
    made = LocalEmbeddings(threads=1)
    yield made
    await made.aclose()


def table_folder(folder: Path, **tensors: NDArray[np.generic]) -> Path:
    write_folder(folder, WORDS, None, model_type="model2vec", normalize=True)
    write_safetensors(folder / "model.safetensors", tensors or {"embeddings": TABLE})
    return folder


def close(found: list[float], *wanted: float) -> bool:
    length = math.hypot(*wanted)
    return bool(np.allclose(found, [number / length for number in wanted], atol=1e-3))


class TestStaticTable:
    async def test_the_mean_of_the_known_tokens_at_length_one(self, embeddings, tmp_path):
        folder = str(table_folder(tmp_path / "m"))
        one, both = await embeddings.embed(folder, ["Cold", "ice fire unheard"], deadline=30)
        assert close(one, 1, 0)
        assert close(both, 1, 1)

    @pytest.mark.parametrize("dtype", [np.float16, np.int8])
    async def test_smaller_numbers_are_read_too(self, embeddings, tmp_path, dtype):
        folder = table_folder(tmp_path / "m", embeddings=TABLE.astype(dtype))
        [found] = await embeddings.embed(str(folder), ["cold fire"], deadline=30)
        assert close(found, 1, 2)

    async def test_weights_and_mapping_of_newer_tables(self, embeddings, tmp_path):
        folder = table_folder(
            tmp_path / "m",
            embeddings=np.array([[1, 0], [0, 1]], np.float32),
            mapping=np.array([0, 0, 0, 0, 0, 1, 0, 1], np.int64),
            weights=np.array([1, 1, 1, 1, 1, 1, 1, 3], np.float32),
        )
        [found] = await embeddings.embed(str(folder), ["cold fire"], deadline=30)
        assert close(found, 1, 3)

    @pytest.mark.parametrize(
        ("tensors", "text", "error", "message"),
        [
            ({}, "unheard", PermanentProviderError, "no token"),
            ({"embeddings": TABLE[:5]}, "cold", ConfigurationError, "fewer vectors"),
            ({"encoder.layer.0": TABLE}, "cold", ConfigurationError, "no table of embeddings"),
        ],
    )
    async def test_what_it_cannot_embed(self, embeddings, tmp_path, tensors, text, error, message):
        folder = table_folder(tmp_path / "m", **tensors)
        with pytest.raises(error, match=message):
            await embeddings.embed(str(folder), [text], deadline=30)


class TestSentenceEncoder:
    async def test_the_mean_over_the_tokens_without_padding(self, embeddings, tmp_path):
        folder = str(sentence_encoder(tmp_path / "m", WORDS, TABLE))
        short, long = await embeddings.embed(folder, ["cold", "cold fire ice ice"], deadline=30)
        assert close(short, 1, 0)
        assert close(long, 5, 2)

    async def test_the_first_token_where_the_model_says_so(self, embeddings, tmp_path):
        table = TABLE.copy()
        table[WORDS["[CLS]"]] = [3, 4]
        folder = sentence_encoder(tmp_path / "m", WORDS, table)
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling/config.json").write_text('{"pooling_mode_cls_token": true}')
        [found] = await embeddings.embed(str(folder), ["cold"], deadline=30)
        assert close(found, 3, 4)

    async def test_too_late_may_be_tried_again(self, embeddings, tmp_path):
        folder = str(sentence_encoder(tmp_path / "m", WORDS, TABLE))
        with pytest.raises(TransientProviderError, match="within 1e-09 seconds"):
            await embeddings.embed(folder, ["cold"], deadline=1e-9)


class TestSafetensors:
    def test_metadata_and_unknown_dtypes_are_left_out(self, tmp_path):
        path = tmp_path / "t"
        write_safetensors(path, {"a": TABLE})
        path.write_bytes(path.read_bytes().replace(b'"F32"', b'"B16"'))
        assert read_tensors(path) == {}

    @pytest.mark.parametrize("cut", [4, 20, -8])
    def test_a_file_that_is_cut_short_is_refused(self, tmp_path, cut):
        path = tmp_path / "t"
        write_safetensors(path, {"a": TABLE})
        path.write_bytes(path.read_bytes()[:cut])
        with pytest.raises(ConfigurationError, match=r"no safetensors file|cut short"):
            read_tensors(path)

    def test_a_tensor_must_be_as_long_as_its_shape(self, tmp_path):
        path = tmp_path / "t"
        write_safetensors(path, {"a": TABLE})
        path.write_bytes(path.read_bytes().replace(b"[8, 2]", b"[9, 2]"))
        with pytest.raises(ConfigurationError, match="cut short or damaged"):
            read_tensors(path)


class TestName:
    def test_a_path_is_the_model(self):
        name = parse_embedding_model_name("local:/models/potion")
        assert (name.provider, name.model) == ("local", "/models/potion")

    async def test_providers_give_an_embedder_of_the_folder(self, tmp_path):
        name = f"local:{table_folder(tmp_path / 'm')}"
        async with Providers(Settings(embedding_model=name)) as providers:
            assert str(providers.check_embedding(name)) == name
            embedder = providers.embedder(name, deadline=30)
            assert embedder.model == name
            assert len(await embedder.embed(["cold", "warm"])) == 2

    async def test_check_refuses_a_folder_that_makes_no_vectors(self, tmp_path):
        folder = pair_classifier(tmp_path / "m", WORDS)
        async with Providers(Settings()) as providers:
            with pytest.raises(ConfigurationError, match="makes no vectors"):
                providers.check_embedding(f"local:{folder}")
            with pytest.raises(ConfigurationError, match="There is no folder"):
                providers.check_embedding(f"local:{tmp_path / 'none'}")

    def test_doctor_says_what_is_wrong_with_the_folder(self, tmp_path):
        found = embedding(Settings(embedding_model=f"local:{tmp_path}"))
        assert (found.state, found.detail) == (State.BROKEN, f"{tmp_path} has no config.json")
        assert "docs/local-judges.md" in found.mend
        whole = embedding(Settings(embedding_model=f"local:{table_folder(tmp_path / 'm')}"))
        assert whole.state == State.OK

    async def test_half_a_folder_is_named(self, tmp_path):
        folder = write_folder(tmp_path / "m", WORDS, None, model_type="model2vec")
        async with Providers(Settings()) as providers:
            with pytest.raises(ConfigurationError, match=r"or model\.safetensors"):
                providers.check_embedding(f"local:{folder}")
