"""A Chinese sentence about English texts is held to the same numbers, units, limits and names."""

import pytest

from projections.pull_requests.texts import RequestText
from services.answers.text.checking import Cited, faults


def cited(text: str, title: str = "Fuse the MoE router") -> tuple[Cited, ...]:
    shown = RequestText(number=7, text=text, digest="d", record_id="r")
    return (Cited(number=7, title=title, text=shown),)


PROXY = "The kernel takes 1.273 ms instead of 12.824 ms, 35.2% less, on the stated proxy. 4 GPUs."
PLAIN = "Decoding is 1.54x faster on 4 GPUs; throughput doubled. Three kernels. It took 90 seconds."

KEPT = [
    (PROXY, "MoE 路由器已融合。"),
    (PROXY, "在代理负载上，kernel 从 12.824 毫秒降至 1.273 毫秒。"),
    (PROXY, "在 proxy 上，kernel 耗时减少 35.2%。"),
    (PROXY, "在代理负载上，kernel 耗时减少百分之35.2。"),
    (PLAIN, "在 4 张 GPU 上，MoE 解码提速 1.54 倍。"),
    (PLAIN, "MoE 吞吐翻倍。"),
    (PLAIN, "MoE 吞吐提升到两倍。"),
    (PLAIN, "MoE 融合了三个 kernel，并统一个别接口。"),
    (PLAIN, "MoE 解码耗时 90 秒。"),
    ("It is a draft. 3 ms.", "MoE 路由器（草稿）耗时 3 毫秒。"),
    ("Not tested on Hopper. 3 ms.", "MoE 路由器耗时 3 毫秒，未经测试。"),
    ("Takes approximately 3 ms.", "MoE 路由器耗时约 3 毫秒。"),
    ("Halves memory.", "MoE 的显存减半。"),
]
REFUSED = [
    (PROXY, "kernel 从 12.824 毫秒降至 1.273 毫秒。", ("caveat proxy of #7 is lost",)),
    ("Takes approximately 3 ms.", "MoE 节约 3 毫秒。", ("caveat approximately of #7 is lost",)),
    (PROXY, "在代理上 kernel 耗时 1.273 秒。", ("figure 1.273 s",)),
    (PROXY, "在代理上 kernel 耗时 1.273 微秒。", ("figure 1.273 us",)),
    (PROXY, "kernel 提速 10 倍。", ("figure 10 x", "number 10")),
    (PROXY, "kernel 提速十倍。", ("number 十倍",)),
    (PROXY, "MoE 在 \uff18 张 GPU 上融合。", ("figure 8 GPU", "number 8")),
    (PROXY, "kernel 耗时减少百分之五十。", ("number 百分之五十",)),
    (PROXY, "kernel 耗时减半。", ("number 减半",)),
    (PLAIN, "MoE 融合了五个 kernel。", ("number 五个",)),
    (PLAIN, "MoE 训练数百步。", ("number 数百",)),
    (PLAIN, "MoE 处理 4 万条数据。", ("number 4 万",)),
    (PLAIN, "MoE 解码耗时 90 分钟。", ("figure 90 min",)),
    (PLAIN, "MoE 支持 NCCL。", ("name NCCL",)),
    (PLAIN, "MoE 已融合，见 #7。", ("citation #7 (we attach them)",)),
    (PLAIN, "MoE 已融合。速度更快。", ("more than one sentence",)),
    (PLAIN, "The MoE router is fused.", ("it is not Chinese", "name fused")),
    (PLAIN, "抱歉，无法总结。", ("it speaks of itself: 抱歉", "it speaks of itself: 无法总结")),
    (PLAIN, "今天天气很好。", ("it names nothing that its sources name",)),
]


@pytest.mark.parametrize(("text", "sentence"), KEPT, ids=[sentence for _, sentence in KEPT])
def test_what_the_sources_say_passes_in_chinese_words(text: str, sentence: str) -> None:
    assert faults(sentence, cited(text), "zh") == ()


@pytest.mark.parametrize(
    ("text", "sentence", "found"), REFUSED, ids=[sentence for _, sentence, _ in REFUSED]
)
def test_what_they_do_not_say_is_refused(text: str, sentence: str, found: tuple[str, ...]) -> None:
    assert faults(sentence, cited(text), "zh") == found


def test_the_name_of_the_theme_may_be_used() -> None:
    assert faults("解码内核已融合。", cited("", "Fuse"), "zh", theme="解码内核 / Decode") == ()
